package measure

import (
	"context"
	"fmt"
	"os"
)

// A firstRun is what the unmeasured run of a program in both builds showed.
type firstRun struct {
	state     string // of both
	differing bool   // in their output
}

func (f firstRun) warnings() []string {
	var warnings []string
	if f.differing {
		warnings = append(warnings, "the two builds print different output; if it has no times, addresses or random numbers in it, look into "+
			"that first")
	}
	if f.state != "exit status 0" {
		warnings = append(warnings, "the program ends with "+f.state+" in both builds")
	}
	return warnings
}

// sampleProgram runs the program once, with nobody reading its output.
func (c *comparison) sampleProgram(ctx context.Context, t *Target, r *record, v variant, round int) error {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	defer null.Close()
	run, err := startTo(ctx, null, t.executable(v), t.Dir)
	if err != nil {
		return err
	}
	if want := c.firstRuns[t].state; run.state.String() != want {
		return fmt.Errorf("measure: %s: ends with %v in round %d %s, but with %s when it first ran; give it a task that always ends the same "+
			"way%s", t.Package, run.state, round+1, v.how(), want, run.quote())
	}
	wall, user := run.wall, run.state.UserTime()
	r.put(v, round, key{name: ProcessWall}, measurement{ns: float64(wall)})
	r.put(v, round, key{name: ProcessUser}, measurement{ns: float64(user)})
	return c.writeRaw(t, v, round, fmt.Sprintf("Benchmark%s\t1\t%d ns/op\nBenchmark%s\t1\t%d ns/op\n", ProcessWall, wall, ProcessUser, user))
}
