package measure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Build is the scenarios (internal/scenarios) by one Go.
type Build struct {
	Go            string
	Plain, Wherry string // test binaries, by the plain go command and by wherry; no Wherry: there are no fast calls
	Rivals        string // one with variants by packages of others; or empty
}

// BenchOptions say what Bench measures.
type BenchOptions struct {
	CPU   string         // GOMAXPROCS values, as go test -cpu; as many goroutines do the work at once
	Count int            // rounds
	Only  *regexp.Regexp // of bench/variant; nil is all

	// Until, if not zero, ends the run earlier rather than later, with as many rounds
	// as an interval needs.
	Until time.Time

	Progress io.Writer // gets a progress bar, if it is a terminal; may be nil
}

// DefaultBenchCount is the rounds of a run without -count; on a slow machine there are fewer,
// but enough for an interval.
const DefaultBenchCount = 20

// How long a benchmark runs in a round; those that run alone so many times, since to find
// out how many would collect their memory each time.
const (
	sampleTime  = "2ms"
	sampleCount = "20000x"
)

// A part is what one process of a round measures.
type part struct {
	label, executable string
	alone             bool // in a process of its own, and not in all rounds: it keeps much memory
	ways              []*way
}

// A way is one variant of some work.
type way struct {
	bench, variant string
	name           string // in the test binary, without "Benchmark"
	samples        map[sampleKey]measurement
}

type sampleKey struct{ procs, round int }

func (w *way) String() string { return w.bench + "/" + w.variant }

// A benching is one call of Bench. Its variants are what builds are to a comparison.
type benching struct {
	BenchOptions
	result Result
	parts  []*part
	ways   [][]*way      // of each build, in the order of the report
	used   time.Duration // of the processors, by our processes
}

// Bench measures the scenarios of all builds in rounds, each part of a round in a process.
func Bench(ctx context.Context, builds []Build, o BenchOptions) (*Result, error) {
	b := &benching{BenchOptions: o}
	for i := range builds {
		if err := b.list(ctx, &builds[i]); err != nil {
			return nil, err
		}
	}
	if b.choose(); len(b.parts) == 0 {
		return nil, fmt.Errorf("measure: no scenario matches -only %v; -only . -count 1 shows the names", o.Only)
	}
	progress := NewProgress(o.Progress)
	defer progress.Clear()
	stop := b.watch()
	begin := time.Now()
	for round := range o.Count {
		if round >= fewestForInterval && b.late(time.Since(begin)/time.Duration(round)) {
			break
		}
		for i, n := range rand.Perm(len(b.parts)) { // for the reason see order
			if p := b.parts[n]; !p.alone || round < fewestForInterval || round%3 == 0 {
				progress.Show(round*len(b.parts)+i, o.Count*len(b.parts), p.label)
				if err := b.sample(ctx, p, round); err != nil {
					return nil, err
				}
			}
		}
	}
	if b.summarize(builds, stop()); len(b.result.rows()) == 0 {
		return nil, errors.New("measure: the scenarios gave no result")
	}
	return &b.result, nil
}

// late reports whether something that takes this long would end too late.
func (o *BenchOptions) late(next time.Duration) bool {
	return !o.Until.IsZero() && time.Now().Add(next).After(o.Until)
}

// list asks a build's test binaries for their scenarios, and decides which process measures
// each. Those that -test.short skips run alone.
func (b *benching) list(ctx context.Context, build *Build) error {
	var ways []*way
	for _, executable := range []string{build.Plain, build.Rivals} {
		if executable == "" {
			continue
		}
		sheet, run, err := b.run(ctx, executable, ".", "-test.short", "-test.benchtime=1x", "-test.cpu=1")
		if err != nil {
			return err
		}
		label := map[string]string{build.Plain: "without wherry", build.Rivals: "rivals"}[executable]
		for _, name := range sheet.started {
			bench, variant, found := strings.Cut(name, "/way=")
			if !found {
				continue
			}
			bench = strings.ToLower(bench)
			_, alone := sheet.trouble[name]
			// What calls C runs in both builds: through cgo in one, in the other as wherry makes it.
			fast := ""
			switch callsC := !strings.HasPrefix(bench, "handle/"); {
			case build.Wherry == "" || executable != build.Plain:
			case variant == "cgo" && callsC:
				fast = mode(bench)
			case variant == "bind":
				fast = variant
			}
			if fast != "bind" {
				ways = append(ways, b.put(part{label: label, executable: executable, alone: alone}, way{bench, variant, name, nil}))
			}
			if fast != "" {
				ways = append(ways, b.put(part{label: "with wherry", executable: build.Wherry}, way{bench, fast, name, nil}))
			}
		}
		if len(ways) == 0 {
			return fmt.Errorf("measure: %s has no scenarios%s", executable, run.quote())
		}
	}
	b.ways = append(b.ways, ways)
	return nil
}

// mode names what wherry makes of a scenario's calls.
func mode(bench string) string {
	switch {
	case bench == "callback/thread":
		return "held"
	case strings.HasPrefix(bench, "callback/"):
		return "reentrant"
	}
	return "fast"
}

// put adds a way to a part like this one. What keeps much memory shares its process with
// nothing whose collections that would slow.
func (b *benching) put(like part, w way) *way {
	w.samples = map[sampleKey]measurement{}
	i := slices.IndexFunc(b.parts, func(p *part) bool { return p.executable == like.executable && !p.alone && !like.alone })
	if i < 0 {
		i = len(b.parts)
		b.parts = append(b.parts, &like)
	}
	b.parts[i].ways = append(b.parts[i].ways, &w)
	return &w
}

// choose leaves the ways that match, and those that they are compared with.
func (b *benching) choose() {
	wanted := map[*way]bool{}
	for _, ways := range b.ways {
		for _, w := range ways {
			if b.Only == nil || b.Only.MatchString(w.String()) {
				wanted[w], wanted[reference(ways, w.bench)] = true, true
			}
		}
	}
	unwanted := func(w *way) bool { return !wanted[w] }
	for i := range b.ways {
		b.ways[i] = slices.DeleteFunc(b.ways[i], unwanted)
	}
	for _, p := range b.parts {
		p.ways = slices.DeleteFunc(p.ways, unwanted)
	}
	b.parts = slices.DeleteFunc(b.parts, func(p *part) bool { return len(p.ways) == 0 })
}

// reference is what a piece of work is compared with: cgo, or cgo's call of two ints.
func reference(ways []*way, bench string) *way {
	for _, name := range []string{bench + "/cgo", "call/add/cgo"} {
		if i := slices.IndexFunc(ways, func(w *way) bool { return w.String() == name }); i >= 0 {
			return ways[i]
		}
	}
	return nil
}

// sample runs one process.
func (b *benching) sample(ctx context.Context, p *part, round int) error {
	var patterns []string
	byName := map[string]*way{}
	for _, w := range p.ways {
		patterns, byName[w.name] = append(patterns, exactly(w.name)), w
	}
	time := sampleTime
	if p.alone {
		time = sampleCount
	}
	sheet, _, err := b.run(ctx, p.executable, strings.Join(patterns, "|"), "-test.cpu="+b.CPU, "-test.benchtime="+time)
	if err != nil {
		return err
	}
	for _, r := range sheet.results {
		if w := byName[r.name]; w != nil && r.value.ns > 0 {
			w.samples[sampleKey{r.procs, round}] = r.value
		}
	}
	return nil
}

// run runs benchmarks that must not fail.
func (b *benching) run(ctx context.Context, executable, pattern string, args ...string) (*sheet, *run, error) {
	sheet, run, err := benchmarks(ctx, executable, "", append(args, "-test.bench="+pattern)...)
	if err != nil {
		return nil, nil, err
	}
	b.used += run.state.UserTime() + run.state.SystemTime()
	b.result.CPU, b.result.GOOS, b.result.GOARCH = sheet.system["cpu"], sheet.system["goos"], sheet.system["goarch"]
	if !run.state.Success() {
		return nil, nil, fmt.Errorf("measure: %s ends with %v%s", executable, run.state, run.quote())
	}
	return sheet, run, nil
}
