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

const usage = `usage: packets [-interval T] [-json] [-o FILE] -- PROGRAM [arguments]

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

	packets -- ./upload -to example.com:443
	packets -json -o net.json -- go test -run Upload ./...

The kernel counts packets, not their sizes, so "below half" is what is certain,
and what coalescing would make of it is an estimate. Processes of other users, and
setuid programs, are named but not seen without root. Exit status: the
program's, 1 when a signal ended it, 2 for wrong usage.
`

// options are the command line.
type options struct {
	interval time.Duration
	json     bool
	file     string // empty is standard error
	program  []string
}

func main() {
	o, err := parse(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(usage)
	case err != nil:
		fmt.Fprintln(os.Stderr, "packets:", err)
		os.Exit(2)
	default:
		status, err := o.run()
		if err != nil {
			fmt.Fprintln(os.Stderr, "packets:", err)
		}
		os.Exit(status)
	}
}

func parse(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("packets", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.DurationVar(&o.interval, "interval", 10*time.Millisecond, "")
	flags.BoolVar(&o.json, "json", false, "")
	flags.StringVar(&o.file, "o", "", "")
	if err := flags.Parse(args); err != nil {
		return nil, fmt.Errorf("%w; packets -help lists the flags", err)
	}
	if o.interval < time.Millisecond {
		return nil, fmt.Errorf("-interval %v: want at least 1ms", o.interval)
	}
	if o.program = flags.Args(); len(o.program) == 0 {
		return nil, errors.New("no program; usage: packets [flags] -- PROGRAM [arguments]")
	}
	return o, nil
}

// run returns the exit status: the program's, if it has one.
func (o *options) run() (status int, err error) {
	cmd := exec.Command(o.program[0], o.program[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// The terminal sends an interrupt to the program too; its status is ours.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGQUIT)
	defer signal.Stop(interrupts)
	out := os.Stderr
	if o.file != "" { // before the program runs: better than a report that is lost
		if out, err = os.Create(o.file); err != nil {
			return 1, err
		}
	}
	seen, program, err := traffic.Run(cmd, o.interval)
	if seen != nil {
		write := traffic.WriteText
		if o.json {
			write = traffic.WriteJSON
		}
		err = errors.Join(err, write(out, *seen))
	}
	if o.file != "" {
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return 1, err
	}
	var exit *exec.ExitError
	switch {
	case errors.As(program, &exit) && exit.ExitCode() > 0:
		return exit.ExitCode(), nil
	case errors.As(program, &exit):
		return 1, fmt.Errorf("%s: %w", o.program[0], program) // by a signal
	case program != nil:
		return 1, program
	}
	return 0, nil
}
