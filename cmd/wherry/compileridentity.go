package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// What stands in PATH may be a wrapper, which says nothing of the compiler behind it and of
// the flags that it adds. So, like the go command, we go by what -### answers: the version,
// and the programs that would run with their flags; and by these programs' sizes and times.

// temporaryNames are those that a compiler invents for its own files.
var temporaryNames = regexp.MustCompile(`[^" ]*/cc[A-Za-z0-9]{6}\b(\.[a-z]+)?`)

// identify returns a hash of what the compiler is for these flags. It is asked once for each
// flags of a build, and reports false for a compiler that does not know -###.
func (c *compilation) identify() (identity string, ok bool) {
	language := "c"
	if filepath.Ext(c.source) != ".c" {
		language = "c++"
	}
	var args []string
	for i := 0; i < len(c.args); i++ {
		switch arg := c.args[i]; {
		case arg == c.source, arg == "-c", arg == "-o"+c.out, strings.HasPrefix(arg, "-frandom-seed="):
		case arg == "-o":
			i++
		default:
			args = append(args, arg)
		}
	}
	args = append(args, "-###", "-x", language, "-c", "-o", os.DevNull, "-")
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %s", c.compiler, c.stable.Replace(fmt.Sprintf("%q", args)))
	entry := fmt.Sprintf("compiler-%x", hash.Sum(nil))
	if text, ok := c.build.Get(entry); ok {
		return string(text), true
	}
	cmd := exec.Command(c.compiler, args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	output, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(output), "version") {
		return "", false
	}
	hash.Reset()
	stamp(hash, c.compiler)
	for line := range strings.Lines(string(output)) {
		io.WriteString(hash, c.stable.Replace(temporaryNames.ReplaceAllString(line, "$$TEMPORARY")))
		if program := strings.Fields(line); strings.HasPrefix(line, " ") && len(program) > 0 {
			stamp(hash, strings.Trim(program[0], `"`))
		}
	}
	identity = fmt.Sprintf("%x", hash.Sum(nil))
	c.build.Put(entry, []byte(identity))
	return identity, true
}

// stamp writes which file a program is.
func stamp(w io.Writer, program string) {
	path, err := exec.LookPath(program)
	if err != nil {
		return
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Stat(path); err == nil {
		fmt.Fprintf(w, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
}
