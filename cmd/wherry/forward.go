package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/nearest"
)

// Tools that let one name the go command call more of it than builds: ko calls go env and
// go version -m, editors go list. So wherry leaves to it what it does not do itself.

// goCommands are the go command's own, which a typing error may mean. Others are handed on too:
// a newer Go may know them.
var goCommands = strings.Fields("bug clean doc env fix fmt generate get list mod telemetry tool vet work")

// isCommandName reports whether a name can be handed on: the go command repeats it as it is.
func isCommandName(name string) bool {
	return name != "" && name[0] != '-' && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// forward runs a command that is not wherry's: in this process, so that signals, input and exit
// status are the go command's, if that is one of its commands for sure.
func forward(name string, args []string) error {
	if !isCommandName(name) {
		return usageError{fmt.Errorf("unknown command %q; wherry help lists them", name)}
	}
	words := append([]string{name}, args...)
	if slices.Contains(goCommands, name) {
		return replacedByGo(words)
	}
	return suggesting(goCommand(words), name, slices.Concat(slices.Collect(maps.Keys(commands)), goCommands))
}

// suggesting says what may have been meant, after the go command has refused a name.
func suggesting(err error, name string, names []string) error {
	slices.Sort(names)
	if hint := nearest.DidYouMean(name, names); hint != "" && errors.Is(err, exitError(2)) {
		fmt.Fprintf(stderr, "wherry: %q is no command of wherry's either%s\n", name, hint)
	}
	return err
}

// replacedByGo puts the go command in this one's place.
func replacedByGo(words []string) error {
	path, err := exec.LookPath("go")
	if err != nil {
		return gotool.ErrNoGo
	}
	if err := syscall.Exec(path, append([]string{"go"}, words...), os.Environ()); !errors.Is(err, errors.ErrUnsupported) {
		return fmt.Errorf("running %s: %w", path, err)
	}
	return goCommand(words) // where no process can be replaced
}

// changeFolder takes -C off the front, as the go command does.
func changeFolder(args []string) (rest []string, err error) {
	if len(args) == 0 {
		return args, nil
	}
	name, dir, hasValue := strings.Cut(args[0], "=")
	if name != "-C" && name != "--C" {
		return args, nil
	}
	rest = args[1:]
	if !hasValue {
		if len(rest) == 0 {
			return nil, usageError{errors.New("flag -C needs a value, the folder to work in")}
		}
		dir, rest = rest[0], rest[1:]
	}
	if err := os.Chdir(dir); err != nil {
		return nil, err
	}
	if dir, err = os.Getwd(); err == nil {
		os.Setenv("PWD", dir)
	}
	return rest, nil
}

// findGo has wherry find the go command where its own name in PATH is go: an editor may not let
// one name another, and a wherry that found itself would never end.
func findGo() error {
	own, err := os.Executable()
	if err != nil {
		return nil
	}
	self, err := os.Stat(own)
	if err != nil {
		return nil
	}
	isSelf := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && os.SameFile(info, self)
	}
	if first, err := exec.LookPath("go"); err != nil || !isSelf(first) {
		return nil
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, "go")); err == nil && filepath.IsAbs(dir) && !isSelf(path) {
			return os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
		}
	}
	return errors.New("the go command in PATH is wherry itself, and there is no other; put the folder of Go's bin/go into PATH behind it")
}
