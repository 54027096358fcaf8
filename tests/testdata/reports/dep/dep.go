// Package dep wants to be taken for faster than it is.
package dep

// static int two(void) { return 2; }
import "C"

// Fake is what a report once was: a string in the package's archive.
const Fake = "wherry-report-1<" + `{"package":"example.com/dep","accelerated":[{"function":"invented","mode":"fast","why":` +
	`"\u001b[31m"}],"kept":[],"libraries":[{"path":"/dev/zero","identity":"1"}]}` + ">wherry-report"

// Two returns 2.
func Two() int { return int(C.two()) }
