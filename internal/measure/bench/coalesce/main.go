//go:build linux

// Coalesce compares ways of writing to a connection: Go's default, Nagle's
// algorithm, TCP_CORK, a bufio.Writer of 4 KB by hand, and package coalesce.
//
//	go run ./coalesce -raw RUN.txt
//
// It needs Linux and root, since each work runs between two network namespaces
// (package link): the program starts itself in them, as the far end once and as
// the near end for each measurement. The ways take turns in every round. Lines
// have the format of Go's benchmarks; the units are packets/MB (of data, from
// TCP_INFO), calls/MB (write calls, from /proc/self/io), ms-cpu/MB and so on; folder
// table makes the tables.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wherrygo/wherry/internal/measure/bench/link"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "far" {
		exit(far(os.Args[2]))
	}
	if len(os.Args) > 1 && os.Args[1] == "near" {
		exit(near(os.Args[2:]))
	}
	rounds := flag.Int("rounds", 10, "measurements of each")
	only := flag.String("work", ".", "`regexp` of works")
	rawName := flag.String("raw", os.DevNull, "`file` for the lines, which also go to standard error")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	if err != nil {
		exit(err)
	}
	raw, err := os.Create(*rawName)
	if err == nil {
		err = errors.Join(measure(*rounds, pattern, io.MultiWriter(raw, os.Stderr)), raw.Close())
	}
	exit(err)
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "coalesce:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// measure runs all works, link by link.
func measure(rounds int, pattern *regexp.Regexp, raw io.Writer) error {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	fmt.Fprintf(raw, "goos: %s\ngoarch: %s\ngo: %s\nkernel: %scpus: %d\n", runtime.GOOS, runtime.GOARCH, runtime.Version(), release,
		runtime.NumCPU())
	for _, place := range places {
		var chosen []work
		for _, w := range works {
			if slices.Contains(w.places, place.name) && pattern.MatchString(place.name+"/"+w.name) {
				chosen = append(chosen, w)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		if err := measureAt(place, chosen, rounds, raw); err != nil {
			return err
		}
	}
	return nil
}

func measureAt(place place, chosen []work, rounds int, raw io.Writer) error {
	l, err := place.make()
	if err != nil {
		return err
	}
	defer l.Close()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server := l.Far.Command(self, "far", l.Far.Address)
	server.Stderr = os.Stderr
	ready, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		return fmt.Errorf("the far end did not start: %w", err)
	}
	for _, w := range chosen {
		for round := range rounds {
			order := slices.Clone(w.ways)
			if round%2 == 1 {
				slices.Reverse(order)
			}
			for _, way := range order {
				cmd := l.Near.Command(self, "near", l.Far.Address, w.name, way, place.name, place.congestion)
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				output, err := cmd.Output()
				var exit *exec.ExitError
				if errors.As(err, &exit) {
					return fmt.Errorf("%s by %s over %s: %s", w.name, way, place.name, strings.TrimSpace(stderr.String()))
				}
				if err != nil {
					return err
				}
				raw.Write(output)
			}
			if place.name != "veth" {
				time.Sleep(100 * time.Millisecond) // let the last packets of the connection arrive
			}
		}
	}
	return nil
}

// A place is a network to measure on.
type place struct {
	name       string
	make       func() (*link.Link, error)
	congestion string // control
}

func bad(p link.Profile) func() (*link.Link, error) {
	return func() (*link.Link, error) { return link.NewBad(p) }
}

var (
	clean = link.Profile{Delay: 25 * time.Millisecond, Seed: 1}
	lossy = link.Profile{Delay: 50 * time.Millisecond, Jitter: 25 * time.Millisecond, Loss: 0.01, Seed: 1}
)

// Most have cubic. bbr paces packets, so that on a far link the kernel itself
// puts together what is written within a fraction of a millisecond.
var places = []place{
	{"veth", link.NewVeth, "cubic"},
	{"50ms", bad(clean), "cubic"},
	{"bad", bad(lossy), "cubic"},
	{"bad-bbr", bad(lossy), "bbr"},
}
