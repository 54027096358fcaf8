package measure

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
)

// checkTests runs a package's tests in both builds. The plain one comes
// first: when that fails, nothing can be said about wherry.
func (c *comparison) checkTests(ctx context.Context, t *Target) error {
	args := []string{
		"-test.bench=^$",
		"-test.count=1",
		"-test.paniconexit0", // os.Exit(0) in a test is no success; go test says the same
	}
	if c.Run != "" {
		args = append(args, "-test.run="+c.Run)
	}
	for _, v := range variants {
		c.report.say("%s: testing %s", t.Package, v.how())
		run, err := start(ctx, t.executable(v), t.Dir, args...)
		switch {
		case err != nil:
			return err
		case run.state.Success():
		case v == cgo:
			return fmt.Errorf("measure: %s: the tests fail without wherry too (%v); make them pass, or choose others with -run%s",
				t.Package, run.state, run.quote())
		default:
			return fmt.Errorf("measure: %s: the tests pass without wherry and fail with it (%v); if they do so again, keep the C functions they "+
				"call on cgo (wherry.policy), and please report it%s", t.Package, run.state, run.quote())
		}
	}
	return nil
}

// checkProgram runs a program once in both builds, without measuring it: the
// exit status must be the same. Different output is only a warning, as it may
// have the time of day in it.
func (c *comparison) checkProgram(ctx context.Context, t *Target) error {
	var runs [2]*run
	var printed [2]hash.Hash
	for _, v := range variants {
		c.report.say("%s: first run %s", t.Package, v.how())
		printed[v] = sha256.New() // the output itself may be large
		run, err := startTo(ctx, printed[v], t.executable(v), t.Dir)
		if err != nil {
			return err
		}
		runs[v] = run
	}
	if before, after := runs[cgo].state, runs[wherry].state; before.String() != after.String() {
		return fmt.Errorf("measure: %s: ends with %v %s and with %v %s; if it does so again, keep the C functions it calls on cgo "+
			"(wherry.policy), and please report it%s",
			t.Package, before, cgo.how(), after, wherry.how(), runs[wherry].quote())
	}
	c.firstRuns[t] = firstRun{
		state:     runs[cgo].state.String(),
		differing: !bytes.Equal(printed[cgo].Sum(nil), printed[wherry].Sum(nil)),
	}
	return nil
}
