package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// order returns the variants of one round, in an order that a coin decides. So where
// the builds do not differ, each is the faster one of a round by a fair coin, whatever
// the machine does: noise that lasts for several rounds cannot favour one of them, as
// it can where the orders follow a pattern (R. A. Fisher, The Design of Experiments).
func (c *comparison) order() [2]variant {
	if c.coin() {
		return [2]variant{cgo, wherry}
	}
	return [2]variant{wherry, cgo}
}

// measure runs the rounds of one target and writes what they show into p. What they
// leave open gets as many rounds again.
func (c *comparison) measure(ctx context.Context, t *Target, p *Package) error {
	r := newRecord(c.Count, c.Bench)
	sample := c.sampleBenchmarks
	if t.Program {
		sample = c.sampleProgram
		p.Warnings = c.firstRuns[t].warnings()
	}
	for round := 0; ; round++ {
		if round == r.count {
			open := r.extend(min(2*r.count, c.most))
			if open == 0 {
				break
			}
			c.report.more(t.Package, open, r.count-round)
		}
		for i, v := range c.order() {
			c.report.step(t.Package, v, round*len(variants)+i, c.Count)
			if err := sample(ctx, t, r, v, round); err != nil {
				if ctx.Err() != nil {
					return errors.Join(r.interrupt(p, round), err)
				}
				return err
			}
		}
		if len(r.keys) == 0 {
			// Nothing gives a result, and more rounds would not change that.
			c.report.total -= (c.Count - round - 1) * len(variants)
			break
		}
	}
	c.describe(r.system)
	return r.finish(p)
}

// sampleBenchmarks runs the benchmarks once.
func (c *comparison) sampleBenchmarks(ctx context.Context, t *Target, r *record, v variant, round int) error {
	sheet, run, err := benchmarks(ctx, t.executable(v), t.Dir, c.arguments(r.pattern)...)
	if err != nil {
		return err
	}
	if err := c.writeRaw(t, v, round, sheet.kept.String()); err != nil {
		return err
	}
	// Exit status 1 after a benchmark that says it failed is the ordinary
	// way; the others' results are good.
	if !run.state.Success() && !(run.state.ExitCode() == 1 && sheet.failed()) {
		return fmt.Errorf("measure: %s: the benchmarks end with %v in round %d %s; run them alone to see why%s", t.Package, run.state,
			round+1, v.how(), run.quote())
	}
	r.add(v, round, sheet)
	return nil
}

func (c *comparison) arguments(pattern string) []string {
	args := []string{"-test.bench=" + pattern, "-test.benchmem"}
	if c.Benchtime != "" {
		args = append(args, "-test.benchtime="+c.Benchtime)
	}
	if c.CPU != "" {
		args = append(args, "-test.cpu="+c.CPU)
	}
	return args
}

// benchmarks runs those of a test binary once, and reads what they say.
func benchmarks(ctx context.Context, executable, dir string, args ...string) (*sheet, *run, error) {
	args = append([]string{
		"-test.run=^$",
		"-test.count=1",
		"-test.v", // see lines.go
		"-test.paniconexit0",
	}, args...)
	run, err := start(ctx, executable, dir, args...)
	if err != nil {
		return nil, nil, err
	}
	return readSheet(run.stdout), run, nil
}

// describe keeps what the benchmarks say about the machine.
func (c *comparison) describe(system map[string]string) {
	c.result.CPU = cmp.Or(c.result.CPU, system["cpu"])
	c.result.GOOS = cmp.Or(c.result.GOOS, system["goos"])
	c.result.GOARCH = cmp.Or(c.result.GOARCH, system["goarch"])
}

// writeRaw keeps the lines of one process. They stay in the benchmark format:
// benchstat -col variant reads them.
func (c *comparison) writeRaw(t *Target, v variant, round int, lines string) error {
	if c.Raw == nil {
		return nil
	}
	_, err := fmt.Fprintf(c.Raw, "variant: %s\nround: %d\npkg: %s\n%s\n", v, round+1, t.Package, lines)
	if err != nil {
		return fmt.Errorf("measure: cannot keep the raw lines: %w", err)
	}
	return nil
}
