// Wherry makes a Go program's calls into C cheap. Its build commands take the
// place of the go command's. A call starts as a fast call, and becomes a cgo call while it
// runs if that makes a difference.
package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/printable"
)

var commands = map[string]func(args []string) error{
	"build":   func(args []string) error { return build("build", args) },
	"run":     func(args []string) error { return build("run", args) },
	"test":    func(args []string) error { return build("test", args) },
	"install": func(args []string) error { return build("install", args) },
	"bench":   bench,
	"compare": compare,
	"doctor":  doctor,
	"help":    help,
	"stat":    statistics,
	"version": version,
}

// What wherry says itself goes here, since names and comments of modules are in it. Programs
// that it starts write to os.Stdout and os.Stderr.
var stdout, stderr = printable.Writer{To: os.Stdout}, printable.Writer{To: os.Stderr}

// A usageError is the user's: exit status 2.
type usageError struct{ error }

// An exitError ends wherry with the status of a command that has already
// said what was wrong.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	if dir, build := calledAs(); dir != "" {
		os.Exit(compileC(build))
	}
	if len(os.Args) > 1 && os.Args[1] == "toolexec" {
		os.Exit(accel.Toolexec(os.Args[2:]))
	}
	end(status(command(os.Args[1:])))
}

// command does what the arguments say.
func command(args []string) error {
	args, err := changeFolder(args)
	if err != nil {
		return err
	}
	if err := findGo(); err != nil {
		return err
	}
	if len(args) == 0 {
		fmt.Fprint(stderr, page("wherry"))
		return exitError(2)
	}
	name := args[0]
	switch strings.TrimLeft(name, "-") {
	case "h", "help":
		name = "help"
	case "version":
		name = "version"
	}
	run, ok := commands[name]
	switch {
	case !ok:
		return forward(name, args[1:])
	case slices.ContainsFunc(args[1:min(2, len(args))], isHelp):
		fmt.Fprint(stdout, page(name))
		return nil
	}
	return run(args[1:])
}

// status prints an error, one line for each of several, and gives the exit
// status.
func status(err error) int {
	if err == nil {
		return 0
	}
	if exit := exitError(0); errors.As(err, &exit) {
		return int(exit)
	}
	if isEnding.Load() { // it ends because of that
		return 1
	}
	for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintln(stderr, "wherry:", line)
	}
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}
