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

	"github.com/wherrygo/wherry/internal/traffic"
)

const helpNet = `usage: wherry net [-interval T] [-json] [-o FILE] -- PROGRAM [arguments]

Runs the program, watches its TCP connections (and those of the processes that
it starts), and says at the end for each: packets with data, bytes in one, how
many were below half a segment, retransmissions, and whether package coalesce
would help. Needs Linux; no root for one's own programs, no tracing, no change
to the program. The table goes to standard error.

Flags:

	-interval T   how often to look (default 10ms); what opens and closes
	              between two looks is not seen
	-json         print one JSON object instead of the table
	-o FILE       write to a file

Examples:

	wherry net -- ./upload -to example.com:443
	wherry net -json -o net.json -- go test -run Upload ./...

The kernel counts packets, not their sizes, so "below half" is what is certain,
and what coalescing would make of it is an estimate. Processes of other users, and
setuid programs, are named but not seen without root. Exit status: the
program's, or 1 when a signal ended it.
`

func network(args []string) error {
	flags := flag.NewFlagSet("net", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	interval := flags.Duration("interval", 10*time.Millisecond, "")
	asJSON := flags.Bool("json", false, "")
	file := flags.String("o", "", "")
	if err := flags.Parse(args); err != nil {
		return usageError{fmt.Errorf("net: %w; wherry help net lists the flags", err)}
	}
	if *interval < time.Millisecond {
		return usageError{fmt.Errorf("net: -interval %v: want at least 1ms", *interval)}
	}
	if flags.NArg() == 0 {
		return usageError{errors.New("net: no program; usage: wherry net [flags] -- PROGRAM [arguments]")}
	}
	cmd := exec.Command(flags.Arg(0), flags.Args()[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The terminal sends an interrupt to the program too; its status is ours.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(interrupts)
	out := os.Stderr
	if *file != "" { // before the program runs: better than a report that is lost
		var err error
		if out, err = os.Create(*file); err != nil {
			return fmt.Errorf("net: %w", err)
		}
	}
	seen, program, err := traffic.Run(cmd, *interval)
	if seen != nil {
		write := traffic.WriteText
		if *asJSON {
			write = traffic.WriteJSON
		}
		err = errors.Join(err, write(out, *seen))
	}
	if *file != "" {
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return fmt.Errorf("net: %w", err)
	}
	var exit *exec.ExitError
	switch {
	case errors.As(program, &exit) && exit.ExitCode() > 0:
		return exitError(exit.ExitCode())
	case errors.As(program, &exit):
		return fmt.Errorf("net: %s: %w", flags.Arg(0), program) // by a signal
	}
	return program
}
