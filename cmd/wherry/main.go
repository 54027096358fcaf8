// Wherry makes a Go program's calls into C cheap. Its build commands take the
// place of the go command's. A call starts as a fast call, and becomes a cgo call while it
// runs if that makes a difference.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/accel"
)

const usage = `Wherry makes a Go program's calls into C cheap.

Usage:

	wherry build   [-report[=json]] [go build flags] [packages]
	wherry run     [-report[=json]] [go run flags] package [arguments]
	wherry test    [-report[=json]] [go test flags] [packages] [test flags]
	wherry install [-report[=json]] [go install flags] [packages]
	wherry compare [flags] [packages]
	wherry bench   [flags]
	wherry check   [flags] TARGET... [FUNCTION...]
	wherry doctor  [-json]
	wherry stat    [flags] program|package [arguments]
	wherry gen     file.go
	wherry version

Examples:

	wherry compare ./...            how much faster would my benchmarks be?
	wherry build -report ./cmd/app  build, and say what was accelerated and why
	wherry stat ./cmd/app           is cgo what my program spends its time on?
	wherry bench                    how long do crossings take on this machine?
	wherry check libz.so.1          which of its functions are safe without the scheduler?
	wherry doctor                   is the fast path available here?
	WHERRY=off wherry build ./...   the same as go build

Every C function is fast unless its machine code or a line of wherry.policy, beside
go.mod, keeps it on cgo; "wherry build -report" shows which and why. "wherry help
policy" describes that file; "wherry help COMMAND" a command.

Exit status: 0 done, 1 failed, 2 wrong usage.
`

// A command is one subcommand: what it does and its page of help.
type command struct {
	run  func(args []string) error
	help string
}

var commands map[string]command

func init() { // not in the declaration: help refers to the table
	commands = map[string]command{
		"build":   {func(args []string) error { return build("build", args) }, helpBuild},
		"run":     {func(args []string) error { return build("run", args) }, helpBuild},
		"test":    {func(args []string) error { return build("test", args) }, helpBuild},
		"install": {func(args []string) error { return build("install", args) }, helpBuild},
		"compare": {compare, helpCompare},
		"bench":   {measure, helpBench},
		"check":   {runCheck, helpCheck},
		"doctor":  {doctor, helpDoctor},
		"stat":    {statistics, helpStat},
		"gen":     {generate, helpGen},
		"version": {version, "usage: wherry version\n\nPrints wherry's version.\n"},
		"help":    {help, usage},
	}
}

// A usageError is the user's: exit status 2.
type usageError struct{ error }

// An exitError ends wherry with the status of a command that has already
// said what was wrong.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	if isCompiler() {
		os.Exit(compileC())
	}
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "toolexec" {
		os.Exit(accel.Toolexec(args[1:]))
	}
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	name := args[0]
	switch strings.TrimLeft(name, "-") {
	case "h", "help":
		name = "help"
	case "version":
		name = "version"
	}
	cmd, ok := commands[name]
	switch {
	case !ok:
		os.Exit(status(usageError{fmt.Errorf("unknown command %q; wherry help lists them", args[0])}))
	case slices.ContainsFunc(args[1:min(2, len(args))], isHelp):
		fmt.Print(cmd.help)
	default:
		os.Exit(status(cmd.run(args[1:])))
	}
}

func isHelp(word string) bool { return word == "-h" || word == "-help" || word == "--help" }

// status prints an error, one line for each of several, and gives the exit
// status.
func status(err error) int {
	if err == nil {
		return 0
	}
	if exit := exitError(0); errors.As(err, &exit) {
		return int(exit)
	}
	for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
		fmt.Fprintln(os.Stderr, "wherry:", line)
	}
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

func help(args []string) error {
	switch {
	case len(args) == 0:
		fmt.Print(usage)
	case args[0] == "policy":
		fmt.Print(helpPolicy)
	case commands[args[0]].help != "":
		fmt.Print(commands[args[0]].help)
	default:
		return usageError{fmt.Errorf("no help on %q; wherry help lists the commands", args[0])}
	}
	return nil
}

func version([]string) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this executable carries no build information")
	}
	fmt.Printf("wherry %s %s\n", info.Main.Version, info.GoVersion)
	return nil
}
