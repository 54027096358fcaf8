package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// A report is in the package's archive, and a go list that finds the archives costs more than
// a build in which nothing changed. But the go command can write down which packages it has
// built, or found in its cache, with their build IDs. These hold a hash of the archive, so a
// report that was seen under such an ID is still the package's. One of a package that was
// compiled or linked in this very build is known by the first part of the ID. With any other, go list
// finds the reports, and so it does where the go command has written nothing down.

// known are reports by the packages' build IDs: nil for a package that does not use cgo, or is
// the standard library's.
type known map[string]*accel.Report

// writesGraph is the flag that makes the go command write its actions down. It is not documented,
// so it is used where it was tried.
func (a *acceleration) writesGraph() []string {
	if goruntime.SupportsGo(a.env.GOVERSION, false) != nil {
		return a.flags
	}
	return append(slices.Clip(a.flags), "-debug-actiongraph="+a.graphFile())
}

func (a *acceleration) graphFile() string { return filepath.Join(a.tmpdir, "actions.json") }

// built returns the reports of the packages that a go command has just built, if all are known.
func (a *acceleration) built(c *gotool.Command) (found reports, ok bool) {
	text, err := os.ReadFile(a.graphFile())
	var actions []action
	if err != nil || json.Unmarshal(text, &actions) != nil {
		return nil, false
	}
	before, compiled, now := a.recall(c), accel.Compiled(a.tmpdir), known{}
	mains := testMains(c, actions)
	for _, action := range actions {
		if action.Mode != "build" || slices.Contains(mains, action.Package) {
			continue
		}
		report, ok := before[action.BuildID]
		if !ok {
			id, _, _ := strings.Cut(action.BuildID, "/")
			report, ok = compiled[id]
		}
		if !ok { // the standard library's are left alone, but what about plugins is not decided here
			ok = accel.IsStandard(a.env.GOROOT, action.Package) && action.Package != "plugin"
		}
		if !ok || action.BuildID == "" {
			return nil, false
		}
		now[action.BuildID] = report
		found = found.with(report)
	}
	a.remember(c, now)
	return found, true
}

// An action is what the go command writes down of one.
type action struct{ Mode, Package, BuildID string }

// testMains returns the names of the packages that go test has written itself, each with a main
// function for the tests of another: it links them, and no package of that name is built besides.
func testMains(c *gotool.Command, actions []action) (mains []string) {
	if c.Verb != "test" {
		return nil
	}
	count := map[action]int{}
	for _, a := range actions {
		count[action{Mode: a.Mode, Package: a.Package}]++
	}
	for of, n := range count {
		if of.Mode == "link" && strings.HasSuffix(of.Package, ".test") && n == count[action{Mode: "build", Package: of.Package}] {
			mains = append(mains, of.Package)
		}
	}
	return mains
}

// with adds the report of a package that has none yet.
func (r reports) with(report *accel.Report) reports {
	if report == nil || slices.ContainsFunc(r, func(other *accel.Report) bool { return other.Package == report.Package }) {
		return r
	}
	return append(r, report)
}

// entry is the name under which it is kept what is known of the packages of a command.
func (a *acceleration) entry(c *gotool.Command) string {
	hash := sha256.New()
	dir, _ := os.Getwd()
	if c.Verb == "test" { // see there
		fmt.Fprintf(hash, "%q %q %q %q %q", dir, c.Verb, c.PackageFlags(), c.Packages, a.config.ID)
	} else {
		fmt.Fprintf(hash, "%q %q %q", dir, c.Args(), a.env.GOARCH)
	}
	return fmt.Sprintf("packages-%.16x", hash.Sum(nil))
}

func (a *acceleration) recall(c *gotool.Command) (before known) {
	text, ok := a.kept.Get(a.entry(c))
	if !ok || json.Unmarshal(text, &before) != nil {
		return nil
	}
	return before
}

func (a *acceleration) remember(c *gotool.Command, now known) {
	text, err := json.Marshal(now)
	if before, _ := a.kept.Get(a.entry(c)); err == nil && !bytes.Equal(text, before) {
		a.kept.Put(a.entry(c), text)
	}
}
