package stat

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed cost/main.go
var costSource string

// CostFiles are the files of a module whose program, built with acceleration,
// measures what ParseCosts reads from its output.
func CostFiles() map[string]string {
	return map[string]string{
		"go.mod":  "module wherry.invalid/cost\n\ngo 1.24\n",
		"main.go": strings.Replace(costSource, "//go:build ignore\n\n", "", 1),
	}
}

// Costs are nanoseconds of one crossing, by mode: the least of many rounds; and of the
// allocation of a small object, with its part of collecting.
type Costs struct {
	Call       map[string]float64 `json:"call_ns"`
	Callback   map[string]float64 `json:"callback_ns"`
	Allocation float64            `json:"allocation_ns"`

	// How many allocations of arguments a call would not need with acceleration, by
	// package and function; see Spared.
	Spared map[[2]string]float64 `json:"-"`
}

// ParseCosts reads the output of the measuring program.
func ParseCosts(output string) (Costs, error) {
	costs := Costs{Call: map[string]float64{}, Callback: map[string]float64{}}
	for _, line := range strings.Split(strings.TrimSpace(output), "\n") {
		var name string
		var ns float64
		if n, err := fmt.Sscan(line, &name, &ns); n != 2 || err != nil || ns <= 0 {
			return costs, fmt.Errorf("stat: the program that measures crossings printed %q", line)
		}
		switch mode, isCallback := strings.CutPrefix(name, "callback_"); {
		case isCallback:
			costs.Callback[mode] = ns
		case name == "allocation":
			costs.Allocation = ns
		default:
			costs.Call[name] = ns
		}
	}
	for _, mode := range []string{"cgo", "fast", "reentrant"} {
		if costs.Call[mode] == 0 {
			return costs, fmt.Errorf("stat: the program that measures crossings did not measure mode %s", mode)
		}
	}
	if costs.Callback["cgo"] == 0 || costs.Callback["reentrant"] == 0 {
		return costs, fmt.Errorf("stat: the program that measures crossings did not measure callbacks")
	}
	if costs.Allocation == 0 {
		return costs, fmt.Errorf("crossing: the program that measures crossings did not measure allocations")
	}
	return costs, nil
}

// of returns the cost of one crossing.
func (c Costs) of(kind, mode string) float64 {
	if kind == Callback && mode == "lent" {
		mode = "reentrant" // the same way, but for a few instructions
	}
	if kind == Callback {
		return c.Callback[mode]
	}
	return c.Call[mode]
}
