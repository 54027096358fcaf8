package check

import (
	"regexp"
	"slices"
	"strings"
)

// A CgoFunction is a C function as the Go code of a package calls it, and the
// wrappers that cgo wrote for it: one for plain calls, one for calls that also
// ask for errno.
type CgoFunction struct {
	Name    string
	Symbols []string
}

var wrapperName = regexp.MustCompile(`^_cgo_[0-9a-f]+_C2?func_(.+)$`)

// CgoFunctions returns the C functions that a cgo package calls, of its archive,
// of the _cgo_.o of its build, or of a Go program.
func (p *Program) CgoFunctions() []CgoFunction {
	byName := map[string][]string{}
	for _, symbol := range p.AllFunctions() {
		if m := wrapperName.FindStringSubmatch(symbol); m != nil {
			name := m[1]
			if name == "_Cmalloc" {
				name = "malloc"
			}
			byName[name] = append(byName[name], symbol)
		}
	}
	var list []CgoFunction
	for name, symbols := range byName {
		list = append(list, CgoFunction{name, symbols})
	}
	slices.SortFunc(list, func(a, b CgoFunction) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// CheckCgo judges functions by the names that Go code uses. The wrappers count
// too; of two the worse verdict holds.
func (p *Program) CheckCgo(functions ...CgoFunction) ([]Result, error) {
	var symbols []string
	for _, f := range functions {
		symbols = append(symbols, f.Symbols...)
	}
	all, err := p.Check(symbols...)
	if err != nil {
		return nil, err
	}
	results := make([]Result, 0, len(functions))
	for _, f := range functions {
		r := all[0]
		for _, other := range all[1:len(f.Symbols)] {
			if other.badness() > r.badness() {
				r = other
			}
		}
		all = all[len(f.Symbols):]
		r.Name = f.Name
		for i := range r.Hazards {
			// The wrapper shows as the function itself.
			h := &r.Hazards[i]
			if len(h.Path) > 1 && h.Path[1].Function == f.Name {
				h.Path = h.Path[1:]
			} else {
				h.Path[0].Function = f.Name
			}
		}
		results = append(results, r)
	}
	return results, nil
}

func (r *Result) badness() int64 {
	switch r.Verdict {
	case Safe:
		return r.Stack
	case Unknown:
		return 1 << 40
	}
	return 1<<41 + int64(len(r.Hazards))
}
