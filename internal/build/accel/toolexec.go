// Package accel stands in front of the go command's tools (go build -toolexec) and makes a
// package's calls into C calls in flight. Whatever does not look as expected stays on cgo, and
// the report says why.
//
// The go command builds a package that has import "C" in three steps, and Toolexec comes into
// each. Take func Sum of a package that calls C.add:
//
// # cgo
//
// The go command asks cgo for its version first, for the package's key in the build cache. The
// answer gets the build's identity added (Config.Identify), so that the plain package and ours
// have a key each. Mostly it is known before, as those of the other tools (package toolversion).
//
// Then cgo writes _cgo_gotypes.go, where the Go function _Cfunc_add puts the arguments into a
// frame and hands its address to runtime.cgocall; and a C file, where _cgo_HASH_Cfunc_add takes
// them out of it and calls add. When it is done, we read the rules that name C functions
// (directives.go; package policy) and decide for each whether it may leave cgo (decide.go, byRule;
// aftercgo.go). One that may gets a twin in the C file: the text of cgo's wrapper behind a head
// that takes the arguments in registers (twin.go, signature.go). Beside it stands what only a C
// compiler knows: how what the arguments point to is aligned (stays.go). In C's view of an
// exported Go function, the way into Go gets a shorter one before it (exports.go). What was
// decided is a plan, kept in the folder of the package's objects (plan.go).
//
// # compile
//
// Now the go command has compiled the package's C files and linked them, to find out what they
// import. That file, or the same made by us where it could not be linked alone (alone.go), is
// read with the shared libraries that it needs (read.go), for what accel has to know of a C
// function (facts.go). That completes the decision (decide.go, byCode): it may keep the function
// on cgo, say that nothing needs to stand before its calls, or that it may run on a C stack. In
// _cgo_gotypes.go the call of runtime.cgocall becomes one of a stub (beforecompile.go, edit.go),
// which is assembly that calls the twin. Arguments need not be allocated if C, the types, and all
// calls of the function in the package show that nobody can tell the difference (stays.go,
// variables.go, trail.go). Then the Go compiler runs.
//
// # The archive
//
// The compiler has written the package's archive, to which the go command adds the C objects
// next. We add the stubs, what calls and callbacks share, and the report of what was decided,
// which travels with the package through the build cache (attach.go, member.go, report.go).
//
// At the end, for a program, link gets an object more: the functions of the C library that may
// wait, which turn a call before they do (link.go).
package accel

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/wherrygo/wherry/internal/printable"
)

// Toolexec runs one tool of the go command: args are the configuration's
// path, the tool and the tool's arguments. It gives the exit status, and does
// not return where the tool needs nothing but to be run.
func Toolexec(args []string) int {
	if len(args) < 2 {
		fmt.Fprintln(os.Stderr, "wherry toolexec: want CONFIG TOOL [ARG...]; this command is for the go command's -toolexec flag")
		return 2
	}
	config, err := readConfig(args[0])
	if err != nil {
		return fail(err)
	}
	command := slices.Concat(config.Chain, args[1:])
	tool, toolArgs := strings.TrimSuffix(filepath.Base(args[1]), ".exe"), args[2:]
	config.step(tool, toolArgs)
	switch {
	case tool == "cgo" && slices.Equal(toolArgs, []string{"-V=full"}):
		return config.version(command)
	case tool == "cgo" && slices.Contains(toolArgs, "-objdir") && !slices.Contains(toolArgs, "-dynimport"):
		config.useFronts()
		return config.cgo(command, toolArgs)
	case tool == "compile":
		return config.compile(command, readCompileCommand(toolArgs))
	case tool == "link" && slices.Contains(toolArgs, "-importcfg"):
		linkArgs, err := config.described(toolArgs)
		if err == nil {
			linkArgs, err = config.beforeLink(linkArgs)
		}
		if err != nil {
			return fail(err)
		}
		config.useFronts()
		return replaceBy(slices.Concat(config.Chain, args[1:2], linkArgs))
	}
	if slices.Contains(toolArgs, "-###") { // the go command asks a C compiler, for whom its front has no answer
		config.passFronts()
	}
	return replaceBy(command)
}

// version asks cgo for its version, where package toolversion has no answer, and adds the build's identity.
func (c *Config) version(command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return exitStatus(err)
	}
	fmt.Println(c.identified(strings.TrimSpace(string(output))))
	return 0
}

// identified adds the build's identity to cgo's version, and so to the cache key of every package
// that cgo handles. Other packages are built alike with and without wherry, and keep their keys.
func (c *Config) identified(line string) string {
	// Of a development version the go command reads only what follows the
	// last slash of the last word, so the identity goes to the very end.
	separator := " +wherry="
	if strings.HasPrefix(line[strings.LastIndexAny(line, " \t")+1:], "buildID=") {
		separator = "+wherry="
	}
	return line + separator + c.ID
}

// cgo runs cgo and works on the files that it wrote.
func (c *Config) cgo(command, args []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return exitStatus(err)
	}
	cgo, err := c.readCgoCommand(args)
	if err == nil {
		err = c.afterCgo(cgo)
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

// compile edits what cgo wrote, runs the compiler, and adds to the archive that that wrote.
func (c *Config) compile(command []string, line *compileCommand) int {
	p, err := c.beforeCompile(line)
	if err != nil {
		return fail(err)
	}
	if p == nil {
		if line.gotypes == "" {
			c.note(line, nil)
		}
		return replaceBy(command)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return exitStatus(err)
	}
	if err := c.attach(line, p); err != nil {
		return fail(err)
	}
	c.note(line, p.report)
	return 0
}

func replaceBy(command []string) int {
	path, err := exec.LookPath(command[0])
	if err != nil {
		return fail(err)
	}
	return fail(syscall.Exec(path, command, os.Environ()))
}

func exitStatus(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exit.ExitCode()
	}
	return fail(err)
}

// fail prints each of the joined errors on its own line.
func fail(err error) int {
	for _, line := range strings.Split(printable.Text(err.Error()), "\n") {
		fmt.Fprintln(os.Stderr, "wherry:", line)
	}
	return 1
}
