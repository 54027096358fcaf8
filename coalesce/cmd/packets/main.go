// Packets runs a program, watches its TCP connections, and says whether package
// coalesce would help.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/wherrygo/wherry/coalesce/internal/traffic"
)

const usage = `usage: packets [-json] -- PROGRAM [arguments]

Runs the program, watches its TCP connections (and those of the processes that
it starts), and says at the end for each: packets with data, bytes in one, how
many were below half a segment, retransmissions, and whether package coalesce
would help. Needs Linux; no root for one's own programs, no tracing, no change
to the program. The table goes to standard error.

It looks every 10 ms: what opens and closes between two looks is not seen. -json
prints one JSON object instead of the table.

	packets -- ./upload -to example.com:443
	packets -json -- go test -run Upload ./...

The kernel counts packets, not their sizes, so "below half" is what is certain,
and what coalescing would make of it is an estimate. Processes of other users, and
setuid programs, are named but not seen without root. Exit status: the
program's, 1 when a signal ended it, 2 for wrong usage.
`

// interval is how often packets looks.
const interval = 10 * time.Millisecond

func main() {
	flags := flag.NewFlagSet("packets", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	json := flags.Bool("json", false, "")
	err := flags.Parse(os.Args[1:])
	status := 2
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
		return
	case err != nil:
		err = fmt.Errorf("%w; packets -help shows the usage", err)
	case flags.NArg() == 0:
		err = errors.New("no program; usage: packets [-json] -- PROGRAM [arguments]")
	default:
		status, err = run(flags.Args(), *json)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packets:", err)
	}
	os.Exit(status)
}

// run returns the exit status: the program's, if it has one.
func run(words []string, json bool) (status int, err error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The terminal sends an interrupt to the program too; its status is ours.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(interrupts)
	seen, program, err := traffic.Run(cmd, interval)
	if seen != nil {
		write := traffic.WriteText
		if json {
			write = traffic.WriteJSON
		}
		err = errors.Join(err, write(os.Stderr, *seen))
	}
	if err != nil {
		return 1, err
	}
	var exit *exec.ExitError
	switch {
	case errors.As(program, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), nil
	case errors.As(program, &exit):
		return 1, fmt.Errorf("%s: %w", words[0], program) // by a signal
	case program != nil:
		return 1, program
	}
	return 0, nil
}
