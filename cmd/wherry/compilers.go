package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
)

// A line of wherry.policy changes what cgo writes for a package, and the go command then
// compiles all of the package's C again, though its own C files are as they were. So while
// the go command builds, the C compilers of that name in PATH are this command, which keeps
// the objects of C files that are not cgo's. An object is found by what the preprocessor
// makes of its file, the compiler and its arguments; everything else goes to the compiler.
//
// So are the answers to what cgo itself asks about the names in Go files, which is the same
// with each policy, and with each of wherry stat's builds: gcc takes minutes where a package
// names thousands, because it has a suggestion for each that is wrong on purpose.

const (
	compilersVariable = "WHERRY_COMPILERS" // the folder with the compilers' names
	objectsFor        = 10 * 24 * time.Hour
)

// compiling calls f, for a go command that only builds; once more, with other flags, if a
// package has said meanwhile that the program is static.
func (a *acceleration) compiling(f func() error) error {
	err := a.withCompilers(f)
	if !accel.BecameStatic(a.tmpdir) {
		return err
	}
	a.config.Static, a.config.Wraps, a.config.Versions, a.config.CLibrary = true, false, false, nil
	if err := a.configure(); err != nil {
		return err
	}
	return a.withCompilers(f)
}

// withCompilers calls f with the compilers' names in PATH.
func (a *acceleration) withCompilers(f func() error) error {
	objects := objectsDir()
	dir := filepath.Join(a.tmpdir, "bin")
	if objects == "" || os.MkdirAll(dir, 0o777) != nil {
		return f()
	}
	for _, words := range []string{a.env.CC, a.env.CXX} {
		name := append(gotool.SplitQuoted(words), "")[0]
		if name == "" || strings.Contains(name, "/") {
			continue
		}
		if err := os.Symlink(a.executable, filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			return f()
		}
	}
	defer setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))()
	defer setenv(compilersVariable, dir)()
	return f()
}

func objectsDir() string {
	if dir := cacheDir(); dir != "" {
		return filepath.Join(dir, "objects")
	}
	return ""
}

// isCompiler reports whether this command runs by the name of a C compiler.
func isCompiler() bool {
	dir := os.Getenv(compilersVariable)
	if dir == "" || strings.Contains(os.Args[0], "/") && filepath.Dir(os.Args[0]) != dir {
		return false
	}
	_, err := os.Lstat(filepath.Join(dir, filepath.Base(os.Args[0])))
	return err == nil
}

// compileC does what the compiler of that name does, and returns its exit status.
func compileC() int {
	dir := os.Getenv(compilersVariable)
	os.Unsetenv(compilersVariable)
	os.Setenv("PATH", strings.TrimPrefix(os.Getenv("PATH"), dir+string(filepath.ListSeparator)))
	name := filepath.Base(os.Args[0])
	compiler, err := exec.LookPath(name)
	if err != nil {
		return status(err)
	}
	c := &compilation{compiler: compiler, args: os.Args[1:]}
	if c.parse() && c.preprocess() {
		if done, status := c.compile(); done {
			return status
		}
	}
	return status(syscall.Exec(compiler, append([]string{name}, c.args...), os.Environ()))
}

// A compilation is one command line of a C compiler.
type compilation struct {
	compiler string
	args     []string
	source   string
	out      string            // the object
	question bool              // cgo asks: the object or the errors are the answer
	stable   *strings.Replacer // of names that differ from build to build
	key      string
}

// A question of cgo's is in a file of this name in the folder for temporary files. A short
// one is answered faster than it is looked up.
const (
	questionPrefix = "cgo-gcc-input-"
	longQuestion   = 8 << 10
)

// unsuitable begin arguments by which a compiler reads or writes more than its file and
// the object, or for which an object depends on more.
var unsuitable = []string{"@", "-fplugin", "-fprofile", "-fauto-profile", "--coverage", "-coverage", "-ftest-coverage", "-save-temps",
	"-M", "-specs", "-Wa,", "-Xassembler", "-x", "-gsplit-dwarf",
	"-fdump", "-E", "-S", "-###", "-flto", "-fcallgraph-info", "-fstack-usage", "-aux-info"}

// parse reports whether the command makes an object of one C file that stands elsewhere
// than the object: cgo's own files are in the folder of their objects.
func (c *compilation) parse() bool {
	compiles := false
	for i, arg := range c.args {
		switch {
		case arg == "-c":
			compiles = true
		case arg == "-o" && i+1 < len(c.args):
			c.out = c.args[i+1]
		case strings.HasPrefix(arg, "-o/"): // cgo's
			c.out = arg[len("-o"):]
		case slices.ContainsFunc(unsuitable, func(prefix string) bool { return strings.HasPrefix(arg, prefix) }):
			return false
		case slices.Contains([]string{".c", ".cc", ".cpp", ".cxx"}, filepath.Ext(arg)) && !strings.HasPrefix(arg, "-"):
			if c.source != "" {
				return false
			}
			c.source = arg
		}
	}
	if !compiles || c.source == "" || !filepath.IsAbs(c.out) {
		return false
	}
	work := filepath.Dir(c.out)
	if filepath.IsAbs(c.source) {
		info, err := os.Stat(c.source)
		c.question = err == nil && strings.HasPrefix(filepath.Base(c.source), questionPrefix) && info.Size() >= longQuestion
		c.stable = strings.NewReplacer(c.source, "$SOURCE", c.out, "$OUT", work, "$WORK")
		return c.question
	}
	c.stable = strings.NewReplacer(work, "$WORK")
	dir, err := os.Getwd()
	return err == nil && work != dir
}

// preprocess computes the key, and reports whether there is one.
func (c *compilation) preprocess() bool {
	hash := sha256.New()
	info, err := os.Stat(c.compiler)
	dir, dirErr := os.Getwd()
	if err != nil || dirErr != nil {
		return false
	}
	fmt.Fprintf(hash, "%q %d %d %q\n", c.compiler, info.Size(), info.ModTime().UnixNano(), dir)
	var args []string
	for _, arg := range c.args {
		switch {
		case arg == "-c":
			args = append(args, "-E")
		case arg == c.out:
			args = append(args, "-")
		case arg == "-o"+c.out:
			args = append(args, "-o-")
		default:
			args = append(args, arg)
		}
		if !strings.HasPrefix(arg, "-frandom-seed=") { // the package's key
			fmt.Fprintf(hash, "%q\n", c.stable.Replace(arg))
		}
	}
	text, err := exec.Command(c.compiler, args...).Output()
	if err != nil || bytes.Contains(text, []byte(".incbin")) || bytes.Contains(text, []byte("#embed")) {
		return false
	}
	c.stable.WriteString(hash, string(text)) // a hash returns no error
	c.key = hex.EncodeToString(hash.Sum(nil))
	return true
}

// What is kept is what the compiler wrote to standard error, one of these, and an object.
var objectMark, failedMark = []byte("\x00object\x00"), []byte("\x00failed\x00")

// compile takes the object from the cache, or has it made and puts it there. Of builds at
// the same time the first compiles and the others wait for it.
func (c *compilation) compile() (done bool, exit int) {
	file := filepath.Join(objectsDir(), c.key[:2], c.key)
	if done, exit := c.recall(file); done {
		return true, exit
	}
	defer lockFile(file + ".lock")()
	if done, exit := c.recall(file); done {
		return true, exit
	}
	cmd := exec.Command(c.compiler, c.args...)
	var messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = os.Stdout, &messages
	err := cmd.Run()
	os.Stderr.Write(messages.Bytes())
	kept := c.rename(messages.Bytes(), c.source, "$SOURCE")
	if err != nil {
		exit = max(1, cmd.ProcessState.ExitCode()) // -1 for a signal
		if c.question && exit == 1 && isAnswer(kept) {
			store(file, slices.Concat(kept, failedMark))
		}
		return true, exit
	}
	if object, err := os.ReadFile(c.out); err == nil {
		store(file, slices.Concat(kept, objectMark, object))
	}
	return true, 0
}

// recall takes the object, or the answer, from the cache.
func (c *compilation) recall(file string) (done bool, exit int) {
	content, err := os.ReadFile(file)
	if err != nil {
		return false, 0
	}
	messages, object, made := bytes.Cut(content, objectMark)
	messages, failed := bytes.CutSuffix(messages, failedMark)
	if !failed && (!made || os.WriteFile(c.out, object, 0o666) != nil) {
		return false, 0
	}
	os.Stderr.Write(c.rename(messages, "$SOURCE", c.source))
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > time.Hour {
		os.Chtimes(file, time.Time{}, time.Now()) // it is in use
	}
	if failed {
		return true, 1
	}
	return true, 0
}

// rename changes the name of a question's file, which is another each time.
func (c *compilation) rename(messages []byte, from, to string) []byte {
	if !c.question {
		return messages
	}
	return bytes.ReplaceAll(messages, []byte(from), []byte(to))
}

// isAnswer reports whether the errors are mistakes in C, and not that the compiler could
// not go on.
func isAnswer(messages []byte) bool {
	return bytes.Contains(messages, []byte(": error: ")) && !bytes.Contains(messages, []byte("fatal error: ")) &&
		!bytes.Contains(messages, []byte("internal compiler error"))
}

// store keeps a file, and forgets those of its folder that nobody has used for long.
// What cannot be kept is made again.
func store(file string, content []byte) {
	dir := filepath.Dir(file)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	temporary, err := os.CreateTemp(dir, "new-")
	if err != nil {
		return
	}
	_, err = temporary.Write(content)
	if errors.Join(err, temporary.Close()) != nil || os.Rename(temporary.Name(), file) != nil {
		os.Remove(temporary.Name())
	}
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > objectsFor {
			os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}
