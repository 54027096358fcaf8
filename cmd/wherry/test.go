package main

import (
	"errors"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
)

// go test runs what it has built, with the user's PATH, so C that it compiles is not kept. So the
// packages are built by go list first, which also finds their libraries; but not where this wherry
// has tested them before, by this policy: then little has changed, and Go's linker is stopped where
// that is not so.
func (a *acceleration) test(c *gotool.Command) error {
	if a.wereTested(c) && accel.BeforeRun(a.tmpdir) == nil {
		hideSteps()
		err := goCommand(c.Args(a.writesGraph()...))
		a.fetchNotes()
		if !accel.Refused(a.tmpdir) && !accel.BecameStatic(a.tmpdir) {
			packages, unknown := a.reports(c)
			if a.plain == nil && a.renewals == 0 {
				return errors.Join(err, a.tell(c, packages, unknown))
			}
		}
	}
	packages, unknown := a.reports(c)
	if a.plain != nil {
		return a.buildPlainly(c)
	}
	hideSteps()
	err := goCommand(c.Args(a.flags...))
	a.fetchNotes()
	return errors.Join(err, a.tell(c, packages, unknown))
}

// wereTested reports whether what is known of the packages is known by the same configuration, and
// their libraries are the same.
func (a *acceleration) wereTested(c *gotool.Command) bool {
	before := a.recall(c)
	for _, report := range before {
		if report != nil && len(report.Changed()) > 0 {
			return false
		}
	}
	return len(before) > 0
}
