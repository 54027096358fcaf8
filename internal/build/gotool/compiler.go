package gotool

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// What stands in PATH as a C compiler may be a wrapper, which says nothing of the compiler
// behind it and of the flags that it adds. So, like the go command, we go by what -### answers:
// the version, and the programs that would run with their flags; and by these programs' sizes
// and times.

// An answer names files that a compiler invents for itself, as gcc and clang call them, and the folder in which
// clang was asked, for debug information.
var (
	temporaryNames = regexp.MustCompile(`[^" ]*/(cc[A-Za-z0-9]{6}|[^/" ]*-[0-9a-f]{6})\b(\.[a-z]+)?`)
	folderAsked    = regexp.MustCompile(`"-f(debug|coverage)-compilation-dir(=|" ")[^"]*"`)
)

// Describe writes what the C compiler is that a command line runs, and what it answers, which it
// returns. It reports false for a compiler that does not know -###. What differs from build to
// build is replaced.
func Describe(w io.Writer, stable *strings.Replacer, command ...string) (answer string, ok bool) {
	cmd := exec.Command(command[0], append(command[1:len(command):len(command)], "-###")...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	output, err := outputByFile(cmd)
	if err != nil || !strings.Contains(string(output), "version") {
		return "", false
	}
	answer = temporaryNames.ReplaceAllStringFunc(folderAsked.ReplaceAllLiteralString(string(output), ""), func(name string) string {
		if _, err := os.Stat(name); err == nil {
			return name // somebody's library may have such a name
		}
		return "$TEMPORARY"
	})
	answer = stable.Replace(answer)
	io.WriteString(w, answer)
	Stamp(w, command[0])
	for line := range strings.Lines(answer) {
		if words := SplitQuoted(line); strings.HasPrefix(line, " ") && len(words) > 0 {
			Stamp(w, words[0])
		}
	}
	return answer, true
}

// outputByFile runs a command and returns what it writes. gcc writes each letter of this by itself,
// and so a pipe's reader would be woken a thousand times.
func outputByFile(cmd *exec.Cmd) ([]byte, error) {
	file, err := os.CreateTemp("", "wherry-answer-")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := os.Remove(file.Name()); err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(file)
}

// Stamp writes which file a program is.
func Stamp(w io.Writer, program string) {
	path, err := exec.LookPath(program)
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	stampFile(w, path)
}

// stampFile writes which file is at a path.
func stampFile(w io.Writer, path string) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		fmt.Fprintf(w, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
}
