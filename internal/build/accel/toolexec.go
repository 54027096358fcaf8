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
	switch {
	case tool == "cgo" && slices.Contains(toolArgs, "-V=full"):
		return config.version(command)
	case tool == "cgo" && slices.Contains(toolArgs, "-objdir") && !slices.Contains(toolArgs, "-dynimport"):
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
		return replaceBy(slices.Concat(config.Chain, args[1:2], linkArgs))
	}
	return replaceBy(command)
}

// version adds the build's identity to what cgo says of its own version, and
// so to the cache key of every package that cgo handles. Other packages are
// built alike with and without wherry, and keep their keys.
func (c *Config) version(command []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		return exitStatus(err)
	}
	line := strings.TrimSpace(string(output))
	// Of a development version the go command reads only what follows the
	// last slash of the last word, so the identity goes to the very end.
	separator := " +wherry="
	if strings.HasPrefix(line[strings.LastIndexAny(line, " \t")+1:], "buildID=") {
		separator = "+wherry="
	}
	fmt.Println(line + separator + c.ID)
	return 0
}

// cgo runs cgo and works on the files that it wrote.
func (c *Config) cgo(command, args []string) int {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return exitStatus(err)
	}
	cgo, err := readCgoCommand(args)
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
