package latency

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

// A Program is an executable with scenarios (see package probe).
type Program struct {
	Path  string
	Go    string // the version that built it
	Plain bool   // built without wherry: fast and reentrant would be cgo
}

// Options say what to measure.
type Options struct {
	Procs []int
	Count int            // rounds
	Only  *regexp.Regexp // of bench/variant; nil is all

	// Until, if not zero, ends the run earlier rather than later, with at least
	// fewestRounds.
	Until time.Time

	Progress func(done, total int, what string) // called before each process; may be nil
}

// One sample takes sampleTime. A process measures some rounds, so that a run
// has several processes, each with memory of its own. Those of scenarios that
// run alone last longer, since what they set up takes a second.
const (
	sampleTime       = 4 * time.Millisecond
	roundsPerProcess = 5
	roundsAlone      = 10
	fewestRounds     = 10
)

// DefaultCount is the rounds of a run without -count.
const DefaultCount = 20

// accelerated variants need a build by wherry.
var accelerated = []string{"fast", "reentrant"}

// A batch is scenarios of a program that share processes.
type batch struct {
	program *Program
	alone   string // as the scenarios say
	names   []string
	shown   bool // has more than references
	rounds  int  // of one process; a multiple of roundsPerProcess
}

// Run measures all programs, process by process in turns.
func Run(ctx context.Context, programs []Program, o Options) (*Report, error) {
	report := newReport(programs)
	var all []listing
	for i := range programs {
		found, err := report.list(ctx, &programs[i])
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	batches := report.choose(all, o.Only)
	if len(batches) == 0 {
		return nil, fmt.Errorf("latency: no scenario matches -only %v; -only . -count 1 -json shows the names", o.Only)
	}
	stop := report.watch()
	done, total := 0, 0
	for _, b := range batches {
		total += (o.Count + b.rounds - 1) / b.rounds * len(o.Procs)
	}
	begin := time.Now()
	for first := 0; first < o.Count; first += roundsPerProcess {
		if first >= fewestRounds && o.late(time.Since(begin)*roundsPerProcess/time.Duration(first)) {
			break
		}
		for _, procs := range o.Procs {
			for _, b := range batches {
				if first%b.rounds != 0 {
					continue
				}
				if o.Progress != nil {
					o.Progress(done, total, fmt.Sprintf("%s, %d procs", cmp.Or(b.alone, "calls, callbacks, handles"), procs))
				}
				done++
				if err := report.measure(ctx, b, procs, first, min(b.rounds, o.Count-first)); err != nil {
					return nil, err
				}
			}
		}
	}
	report.summarize(stop())
	return report, nil
}

// late reports whether something that takes this long would end too late.
func (o *Options) late(next time.Duration) bool {
	return !o.Until.IsZero() && time.Now().Add(next).After(o.Until)
}

// list asks a program for its scenarios.
func (r *Report) list(ctx context.Context, p *Program) (all []listing, err error) {
	output, err := r.execute(ctx, p.Path, "-list")
	if err != nil {
		return nil, err
	}
	err = eachLine(output, func(l probe.Listing) error {
		if !p.Plain || !slices.Contains(accelerated, l.Variant) {
			all = append(all, listing{p, l})
		}
		return nil
	})
	return all, err
}

// choose takes the scenarios that match, and those that their ratios need.
func (r *Report) choose(all []listing, only *regexp.Regexp) (batches []batch) {
	wanted := map[string]bool{}
	for _, l := range all {
		if only == nil || only.MatchString(l.name()) {
			wanted[l.name()] = true
			wanted[reference(all, l.Bench)] = true
		}
	}
	shown := map[string]bool{} // by Go version too
	for _, l := range all {
		if !wanted[l.name()] {
			continue
		}
		rounds := roundsAlone
		if l.Alone == "" {
			rounds = roundsPerProcess
		}
		i := slices.IndexFunc(batches, func(b batch) bool { return b.program == l.program && b.alone == l.Alone })
		if i < 0 {
			i = len(batches)
			batches = append(batches, batch{program: l.program, alone: l.Alone, rounds: rounds})
		}
		b := &batches[i]
		b.names = append(b.names, l.name())
		// The rivals' cgo is there for their ratios alone.
		if id := l.program.Go + " " + l.name(); !shown[id] {
			shown[id], b.shown = true, true
			r.listed = append(r.listed, l)
		}
	}
	batches = slices.DeleteFunc(batches, func(b batch) bool { return !b.shown })
	// Ratios are taken within a process.
	for i := range batches {
		b := &batches[i]
		for _, name := range b.names {
			bench := name[:strings.LastIndex(name, "/")]
			if ref := reference(all, bench); !slices.Contains(b.names, ref) {
				b.names = append(b.names, ref)
			}
		}
	}
	return batches
}

// reference names what a piece of work is compared with.
func reference(all []listing, bench string) string {
	if slices.ContainsFunc(all, func(l listing) bool { return l.Bench == bench && l.Variant == "cgo" }) {
		return bench + "/cgo"
	}
	return "call/add/cgo"
}

func (r *Report) measure(ctx context.Context, b batch, procs, first, rounds int) error {
	output, err := r.execute(ctx, b.program.Path, "-run", strings.Join(b.names, ","), "-procs", fmt.Sprint(procs),
		"-first", fmt.Sprint(first), "-rounds", fmt.Sprint(rounds), "-sample", sampleTime.String())
	if err != nil {
		return err
	}
	return eachLine(output, func(s probe.Sample) error {
		if s.Error != "" {
			return fmt.Errorf("latency: %s", s.Error)
		}
		r.put(b.program, b.alone, s)
		return nil
	})
}

func (r *Report) execute(ctx context.Context, program string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if cmd.ProcessState != nil {
		r.used += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("latency: interrupted")
		}
		return nil, fmt.Errorf("latency: %s %s: %w\n%s", program, strings.Join(args, " "), err, stderr.String())
	}
	return stdout.Bytes(), nil
}

func eachLine[T any](text []byte, do func(T) error) error {
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var value T
		if err := decoder.Decode(&value); err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("latency: the scenarios printed something else than JSON lines: %w", err)
		}
		if err := do(value); err != nil {
			return err
		}
	}
}
