// Badlink runs a program, and a server if one is given, at the two ends of a
// bad link that exists for that time only, and says what went over it.
//
//	badlink -delay 50ms -jitter 25ms -loss 1 -server 'nc -lk 10.99.0.2 80' packets -- ./upload 10.99.0.2:80
//
// The program has the address 10.99.0.1, the server 10.99.0.2. It needs Linux
// and root.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/wherrygo/wherry/internal/measure/bench/link"
)

func main() {
	status, err := run()
	if err != nil {
		fmt.Fprintln(os.Stderr, "badlink:", err)
	}
	os.Exit(status)
}

func run() (int, error) {
	var p link.Profile
	flag.DurationVar(&p.Delay, "delay", 50*time.Millisecond, "`time` that one direction takes")
	flag.DurationVar(&p.Jitter, "jitter", 0, "by how much `time` the delay varies, up or down")
	loss := flag.Float64("loss", 0, "`percent` of packets that are dropped in each direction")
	flag.Float64Var(&p.Rate, "rate", 0, "`megabits` a second (default no limit)")
	flag.IntVar(&p.Queue, "queue", 100, "`packets` that wait when the rate is limited")
	flag.Uint64Var(&p.Seed, "seed", 1, "of the random `number`s")
	server := flag.String("server", "", "`command` for the other end, run by sh -c and killed at the end")
	flag.Parse()
	if flag.NArg() == 0 {
		return 2, errors.New("no program given; usage: badlink [flags] program [arguments]")
	}
	p.Loss = *loss / 100
	l, counts, err := link.NewBad(p)
	if err != nil {
		return 1, err
	}
	defer l.Close()
	if *server != "" {
		cmd := l.Far.Command("sh", "-c", "exec "+*server)
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		if err := cmd.Start(); err != nil {
			return 1, err
		}
		defer func() { cmd.Process.Kill(); cmd.Wait() }()
		time.Sleep(200 * time.Millisecond) // it has to listen first
	}
	signal.Ignore(os.Interrupt) // the program gets it too
	cmd := l.Near.Command(flag.Arg(0), flag.Args()[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	for i, name := range []string{"sent", "received"} {
		c := &counts[i]
		fmt.Fprintf(os.Stderr, "badlink: %s %d packets, %d with data, %d of them below half a segment; %d bytes; %d packets lost\n",
			name, c.Packets.Load(), c.Data.Load(), c.Small.Load(), c.Bytes.Load(), c.Dropped.Load())
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
