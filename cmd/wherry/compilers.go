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

	"github.com/wherrygo/wherry/internal/build/gotool"
)

// A line of wherry.policy changes what cgo writes for a package, and the go command then
// compiles all of the package's C again, though its own C files are as they were. So while
// the go command builds, the C compilers of that name in PATH are this command, which keeps
// the objects of C files that are not cgo's. An object is found by what the preprocessor
// makes of its file, the compiler and its arguments; everything else goes to the compiler.

const (
	compilersVariable = "WHERRY_COMPILERS" // the folder with the compilers' names
	objectsFor        = 10 * 24 * time.Hour
)

// compiling calls f with the compilers' names in PATH, for a go command that only builds.
func (a *acceleration) compiling(f func() error) error {
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
	path := os.Getenv("PATH")
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+path)
	os.Setenv(compilersVariable, dir)
	defer os.Setenv("PATH", path)
	defer os.Unsetenv(compilersVariable)
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
	out      string // the object
	key      string
}

// unsuitable begin arguments by which a compiler reads or writes more than its file and
// the object, or for which an object depends on more.
var unsuitable = []string{"@", "-fplugin", "-fprofile", "-fauto-profile", "--coverage", "-coverage", "-ftest-coverage", "-save-temps",
	"-M", "-specs", "-Wa,", "-Xassembler", "-x", "-gsplit-dwarf",
	"-fdump", "-E", "-S", "-###", "-flto", "-fcallgraph-info", "-fstack-usage", "-aux-info"}

// parse reports whether the command makes an object of one C file that stands elsewhere
// than the object: cgo's own files are in the folder of their objects.
func (c *compilation) parse() bool {
	source, compiles := "", false
	for i, arg := range c.args {
		switch {
		case arg == "-c":
			compiles = true
		case arg == "-o" && i+1 < len(c.args):
			c.out = c.args[i+1]
		case slices.ContainsFunc(unsuitable, func(prefix string) bool { return strings.HasPrefix(arg, prefix) }):
			return false
		case slices.Contains([]string{".c", ".cc", ".cpp", ".cxx"}, filepath.Ext(arg)) && !strings.HasPrefix(arg, "-"):
			if source != "" {
				return false
			}
			source = arg
		}
	}
	dir, err := os.Getwd()
	return err == nil && compiles && source != "" && filepath.IsAbs(c.out) && filepath.Dir(c.out) != dir && !filepath.IsAbs(source)
}

// preprocess computes the key, and reports whether there is one.
func (c *compilation) preprocess() bool {
	hash := sha256.New()
	info, err := os.Stat(c.compiler)
	dir, dirErr := os.Getwd()
	if err != nil || dirErr != nil {
		return false
	}
	work := filepath.Dir(c.out) // differs from build to build
	fmt.Fprintf(hash, "%q %d %d %q\n", c.compiler, info.Size(), info.ModTime().UnixNano(), dir)
	var args []string
	for _, arg := range c.args {
		switch {
		case arg == "-c":
			args = append(args, "-E")
		case arg == c.out:
			args = append(args, "-")
		default:
			args = append(args, arg)
		}
		if !strings.HasPrefix(arg, "-frandom-seed=") { // the package's key
			fmt.Fprintf(hash, "%q\n", strings.ReplaceAll(arg, work, "$WORK"))
		}
	}
	text, err := exec.Command(c.compiler, args...).Output()
	if err != nil || bytes.Contains(text, []byte(".incbin")) || bytes.Contains(text, []byte("#embed")) {
		return false
	}
	hash.Write(bytes.ReplaceAll(text, []byte(work), []byte("$WORK")))
	c.key = hex.EncodeToString(hash.Sum(nil))
	return true
}

// compile takes the object from the cache, or has it made and puts it there.
func (c *compilation) compile() (done bool, exit int) {
	file := filepath.Join(objectsDir(), c.key[:2], c.key)
	if content, err := os.ReadFile(file); err == nil {
		if warnings, object, ok := bytes.Cut(content, []byte("\x00object\x00")); ok && os.WriteFile(c.out, object, 0o666) == nil {
			os.Stderr.Write(warnings)
			if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > time.Hour {
				os.Chtimes(file, time.Time{}, time.Now()) // it is in use
			}
			return true, 0
		}
	}
	cmd := exec.Command(c.compiler, c.args...)
	var warnings bytes.Buffer
	cmd.Stdout, cmd.Stderr = os.Stdout, &warnings
	err := cmd.Run()
	os.Stderr.Write(warnings.Bytes())
	if err != nil {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() > 0 {
			return true, cmd.ProcessState.ExitCode()
		}
		return true, 1
	}
	if object, err := os.ReadFile(c.out); err == nil {
		store(file, slices.Concat(warnings.Bytes(), []byte("\x00object\x00"), object))
	}
	return true, 0
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
