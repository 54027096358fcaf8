package stat

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed cost/main_unsafe.go
var costSource string

// CostFiles are the files of a module whose program, built with acceleration,
// measures what ParseCosts reads from its output.
func CostFiles() map[string]string {
	return map[string]string{
		"go.mod":  "module wherry.invalid/cost\n\ngo 1.24\n",
		"main.go": strings.Replace(costSource, "//go:build ignore\n\n", "", 1),
	}
}

// Costs are nanoseconds of one crossing, by mode: the least of many rounds.
type Costs struct {
	Call     map[string]float64 `json:"call_ns"`
	Callback map[string]float64 `json:"callback_ns"`

	Checks map[[2]string]float64 `json:"-"` // cgo's pointer checks of one call, on average, by package and function
}

// checkedForms are those of an argument with a pointer check that are measured: an
// element of a slice, memory of C, and a pointer to a type that only C knows.
var checkedForms = []string{"_slice", "_memory", "_handle"}

// check is what acceleration saves of a pointer check, whatever it is of: the runtime's
// alone, less the short one with what passing a pointer costs.
func (c Costs) check() (ns float64) {
	for _, form := range checkedForms {
		ns += c.Call["check"+form] - (c.Call["fast"+form] - c.Call["fast"])
	}
	return max(0, ns/float64(len(checkedForms)))
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
		default:
			costs.Call[name] = ns
		}
	}
	modes := []string{"cgo", "fast", "reentrant"}
	for _, form := range checkedForms {
		modes = append(modes, "check"+form, "fast"+form)
	}
	for _, mode := range modes {
		if costs.Call[mode] == 0 {
			return costs, fmt.Errorf("stat: the program that measures crossings did not measure mode %s", mode)
		}
	}
	if costs.Callback["cgo"] == 0 || costs.Callback["reentrant"] == 0 {
		return costs, fmt.Errorf("stat: the program that measures crossings did not measure callbacks")
	}
	return costs, nil
}

// of returns the cost of one crossing.
func (c Costs) of(kind, mode string) float64 {
	if kind == Callback && mode == "held" {
		mode = "reentrant" // the same way, but for a few instructions
	}
	if kind == Callback {
		return c.Callback[mode]
	}
	return c.Call[mode]
}
