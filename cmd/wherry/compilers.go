package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/kept"
)

// A line of wherry.policy changes what cgo writes for a package, and the go command then
// compiles all of the package's C again, though its own C files are as they were. So while
// the go command builds, the C compilers of that name in PATH are this command, which keeps
// the objects of C files that are not cgo's. An object is found by its files, what the
// preprocessor makes of them, the compiler and its arguments; everything else goes to the compiler.
//
// So are the answers to what cgo itself asks about the names in Go files, which is the same
// with each policy, and with each of wherry stat's builds: gcc takes minutes where a package
// names thousands, because it has a suggestion for each that is wrong on purpose.

// frontFile is in the build's own folder, beside what the fronts have to say when the go command
// has ended.
const frontFile = "front.json"

// A front is what those who stand in front of the compilers have to know.
type front struct {
	GoCache string
	Again   bool // -a: what is kept is made again

	Linker, LinkerName string // see compilation
}

// frontsPrefix begins the name of the folder with the compilers' names.
const frontsPrefix = "compilers-"

var keepsNothing sync.Once

// openKept opens the folder of what is kept, or says why nothing is, once for a build.
func openKept(env *gotool.Env) *kept.Folder {
	folder, err := kept.Open(env.GOCACHE)
	if err != nil {
		keepsNothing.Do(func() { fmt.Fprintf(stderr, "wherry: nothing is kept for later builds: %v\n", err) })
		return nil
	}
	if folder != nil {
		folder.Damaged = func(file string, err error) { fmt.Fprintln(stderr, kept.Damage(file, err)) }
	}
	return folder
}

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
	if a.config.Fronts == "" {
		return f()
	}
	defer setenv("PATH", a.config.Fronts+string(filepath.ListSeparator)+os.Getenv("PATH"))()
	defer setenv(accel.FrontsVariable, a.config.Fronts+string(filepath.ListSeparator)+a.tmpdir)()
	defer a.fetchNotes()
	return f()
}

// fetchNotes says what the fronts could not.
func (a *acceleration) fetchNotes() {
	notes := filepath.Join(a.tmpdir, kept.Notes)
	if text, err := os.ReadFile(notes); err == nil {
		stderr.Write(text)
		os.Remove(notes)
	}
}

// writeFront has the compilers' names lead to wherry, and writes what it has to know then.
func (a *acceleration) writeFront() {
	dir, err := a.compilers()
	said := front{GoCache: a.env.GOCACHE, Again: a.again, Linker: a.config.Compiler}
	if words := gotool.SplitQuoted(a.env.CC); len(words) > 0 {
		said.LinkerName = words[0]
	}
	text, _ := json.Marshal(said)
	if errors.Join(err, os.WriteFile(filepath.Join(a.tmpdir, frontFile), text, 0o666)) == nil {
		a.config.Fronts = dir
	}
}

// compilers returns the folder with the compilers' names. The go command keeps what it has
// found out about a compiler by the path under which it finds it, so the folder is another
// one only for other compilers, or another wherry.
func (a *acceleration) compilers() (dir string, err error) {
	if a.kept == nil || strings.ContainsRune(a.kept.Path, filepath.ListSeparator) {
		return "", nil
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", a.executable)
	var names []string
	for _, words := range []string{a.env.CC, a.env.CXX} {
		name := append(gotool.SplitQuoted(words), "")[0]
		if _, err := exec.LookPath(name); err != nil || strings.Contains(name, "/") { // the go command says which is not there
			continue
		}
		names = append(names, name)
		fmt.Fprintf(hash, "%q\n", name)
		gotool.Stamp(hash, name)
	}
	return a.kept.Links(fmt.Sprintf(frontsPrefix+"%.16x", hash.Sum(nil)), a.executable, names)
}

var frontsName = regexp.MustCompile("^" + frontsPrefix + "[0-9a-f]{32}$")

func isFronts(dir string) bool { return frontsName.MatchString(filepath.Base(dir)) }

// calledAs returns the fronts' folder if this command runs by the name of a C compiler, and the folder
// of the build if that is known: between the go command and this one may be programs that have
// cleared the environment, or put a folder before PATH.
func calledAs() (dir, build string) {
	dir, build, _ = strings.Cut(os.Getenv(accel.FrontsVariable), string(filepath.ListSeparator))
	if dir == "" {
		found, err := exec.LookPath(os.Args[0])
		if err != nil || !isFronts(filepath.Dir(found)) {
			return "", ""
		}
		dir = filepath.Dir(found)
	}
	if strings.Contains(os.Args[0], "/") && filepath.Dir(os.Args[0]) != dir {
		return "", ""
	}
	if _, err := os.Readlink(filepath.Join(dir, filepath.Base(os.Args[0]))); err != nil {
		return "", ""
	}
	return dir, build
}

// compileC does what the compiler of that name does, and returns its exit status.
func compileC(build string) int {
	os.Unsetenv(accel.FrontsVariable)
	path := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), isFronts) // of a build around this one too
	os.Setenv("PATH", strings.Join(path, string(filepath.ListSeparator)))
	name := filepath.Base(os.Args[0])
	compiler, err := exec.LookPath(name)
	if err != nil {
		return status(err)
	}
	c := &compilation{compiler: compiler, args: os.Args[1:]}
	if c.asksLinker() && c.open(build) {
		if done, status := c.answerForLinker(); done {
			return status
		}
	}
	parsed := c.parse()
	if file := filepath.Base(c.source); c.source != "" && !filepath.IsAbs(c.source) && !strings.HasPrefix(file, accel.OwnPrefix) {
		accel.Step(build, name+" "+file)
	}
	if parsed && c.open(build) && c.find() {
		if done, status := c.compile(); done {
			return status
		}
	}
	return status(syscall.Exec(compiler, append([]string{name}, c.args...), os.Environ()))
}

// open reads the front of a build, and reports whether anything is kept.
func (c *compilation) open(build string) bool {
	text, err := os.ReadFile(filepath.Join(build, frontFile))
	var said front
	if build == "" || err != nil || json.Unmarshal(text, &said) != nil {
		return false
	}
	c.again, c.linker, c.linkerName = said.Again, said.Linker, said.LinkerName
	if c.kept, err = kept.Open(said.GoCache); err != nil || c.kept == nil {
		return false
	}
	c.build, err = kept.Within(build)
	c.kept.NoteDamage(filepath.Join(build, kept.Notes))
	return err == nil
}
