package goruntime

import (
	"fmt"
	"strconv"
	"strings"
)

// Oldest and newest Go whose runtime the tests have seen. Above the newest
// everything stays on cgo until WHERRY_UNTESTED_GO=1 says otherwise.
const (
	OldestMinor = 24
	NewestMinor = 27
)

// An Unsupported says why the fast path is not available, and what would
// make it so. The program is then built plainly.
type Unsupported struct {
	What   string // what was found
	Remedy string // what to do about it, or ""
}

func (u *Unsupported) Error() string {
	if u.Remedy == "" {
		return u.What
	}
	return u.What + "; " + u.Remedy
}

// SupportsTarget reports whether wherry has a fast path for a target.
func SupportsTarget(goos, goarch string) error {
	if goos != "linux" {
		return &Unsupported{"the fast path needs linux, this build is for " + goos, ""}
	}
	if goarch != "amd64" && goarch != "arm64" {
		return &Unsupported{"the fast path needs amd64 or arm64, this build is for " + goarch, ""}
	}
	return nil
}

// SupportsGo reports whether a Go version, as runtime.Version gives it, lies
// within the tested bounds.
func SupportsGo(version string, untestedToo bool) error {
	minor, ok := goMinor(version)
	switch {
	case !ok && !untestedToo:
		return &Unsupported{fmt.Sprintf("%q is no released Go", version), "set WHERRY_UNTESTED_GO=1 to accelerate all the same"}
	case ok && minor < OldestMinor:
		return &Unsupported{fmt.Sprintf("%s is older than go1.%d", version, OldestMinor), "use a newer Go"}
	case ok && minor > NewestMinor && !untestedToo:
		return &Unsupported{fmt.Sprintf("%s is newer than go1.%d, the newest tested", version, NewestMinor),
			"use a newer wherry, or set WHERRY_UNTESTED_GO=1 to accelerate all the same"}
	}
	return nil
}

// TracebackSetter is the runtime's variable with the C function that runtime.SetCgoTraceback
// calls.
func TracebackSetter(version string) string {
	if minor, ok := goMinor(version); ok && minor < 26 {
		return "_cgo_set_context_function"
	}
	return "_cgo_set_traceback_functions"
}

// goMinor returns 26 for go1.26.8 and for go1.26rc1.
func goMinor(version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	minor, err := strconv.Atoi(rest[:end])
	return minor, err == nil
}
