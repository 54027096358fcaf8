// Package enter holds the assembly that enters C, one file for each
// architecture, and the little Go that puts names and offsets into it.
package enter

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/rt"
)

//go:embed direct_amd64.gas direct_arm64.gas
var templates embed.FS

// A Stub is the direct call of one C function.
type Stub struct {
	Symbol   string // the stub, which Go calls in its register ABI
	Target   string // the C function, in the same link unit
	Integers int    // integer and pointer arguments
	Yield    string // the Go function to go to when the goroutine is to be preempted, or ""
}

// MaxIntegers and MaxFloats are how many arguments a stub passes: those that
// both Go and C pass in registers.
func MaxIntegers(goarch string) int {
	if goarch == "amd64" {
		return 6
	}
	return 8
}

const MaxFloats = 8

// Assembly gives the stub as lines for an assembler of GNU syntax.
func (s Stub) Assembly(goarch string, offsets rt.Offsets) ([]string, error) {
	if s.Integers > MaxIntegers(goarch) {
		return nil, fmt.Errorf("enter: %s has %d integer arguments, want at most %d", s.Symbol, s.Integers, MaxIntegers(goarch))
	}
	text, err := templates.ReadFile("direct_" + goarch + ".gas")
	if err != nil {
		return nil, fmt.Errorf("enter: no direct call for %s", goarch)
	}
	names := strings.NewReplacer("STUB", s.Symbol, "TARGET", s.Target, "YIELD", s.Yield, "G_STACKGUARD0", number(offsets.GStackGuard),
		"G_SCHED_SP", number(offsets.GSchedSP), "G_THROWSPLIT", number(offsets.GThrowSplit), "G_M", number(offsets.GM),
		"M_G0", number(offsets.MG0), "M_VDSOPC", number(offsets.MVdsoPC), "M_VDSOSP", number(offsets.MVdsoSP))
	var lines []string
	for _, line := range strings.Split(string(text), "\n") {
		code, comment, _ := strings.Cut(line, "# ")
		// An arm64 immediate starts with #, but has no space behind it.
		if comment == "CHECK" && s.Yield == "" {
			continue
		}
		if nth, ok := strings.CutPrefix(comment, "ARGS "); ok {
			if n, err := strconv.Atoi(nth); err != nil || n > s.Integers {
				continue
			}
		}
		if code = strings.TrimRight(code, " "); strings.Trim(code, "#\t ") != "" {
			lines = append(lines, names.Replace(code))
		}
	}
	return lines, nil
}

func number(offset int64) string { return strconv.FormatInt(offset, 10) }
