//go:build linux

package coalesce

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/lab/link"
)

// TestMain plays an end of a link, where the arguments say so.
func TestMain(m *testing.M) {
	play := map[string]func([]string) error{"far": far, "near": near}
	if len(os.Args) > 1 && play[os.Args[1]] != nil {
		if err := play[os.Args[1]](os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// One measurement of each work by each way is a run of a process, so -benchtime 1x is right.
func BenchmarkCoalesce(b *testing.B) {
	if os.Getuid() != 0 {
		b.Skip("network namespaces need root")
	}
	for _, w := range works {
		for _, place := range places {
			if slices.Contains(w.places, place.name) {
				b.Run(w.name+"/link="+place.name, func(b *testing.B) { benchmarkAt(b, place, w) })
			}
		}
	}
}

func benchmarkAt(b *testing.B, place place, w work) {
	l, err := place.make()
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	server := l.Far.Command(self, "far", l.Far.Address)
	server.Stderr = os.Stderr
	ready, err := server.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	if _, err := bufio.NewReader(ready).ReadString('\n'); err != nil {
		b.Fatalf("the far end did not start: %v", err)
	}
	for _, i := range rand.Perm(len(w.ways)) { // an order that lasts would favour one
		way := w.ways[i]
		b.Run("way="+way, func(b *testing.B) {
			output, err := l.Near.Command(self, "near", l.Far.Address, w.name, way, place.name, place.congestion).Output()
			if exit := new(exec.ExitError); errors.As(err, &exit) {
				b.Fatal(strings.TrimSpace(string(exit.Stderr)))
			} else if err != nil {
				b.Fatal(err)
			}
			fields := strings.Fields(string(output))
			for i := 0; i+1 < len(fields); i += 2 {
				value, err := strconv.ParseFloat(fields[i], 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(value, fields[i+1])
			}
		})
		if place.name != "veth" {
			time.Sleep(100 * time.Millisecond) // let the last packets of the connection arrive
		}
	}
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
