package stat

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Advice is about one C function that costs the program time in crossings.
type Advice struct {
	Package  string   `json:"package"`
	Function string   `json:"function"`
	Share    float64  `json:"cpu_share"` // of what could be saved, or goes into turning; 0 to 1
	What     string   `json:"what"`
	Reasons  []string `json:"reasons"`
	Line     string   `json:"line"` // of wherry.policy, that would change it; or what to do with one; or empty
	Asks     string   `json:"asks"` // of the user, by that line
}

// A Remedy is what would change how a function is called. What it is empty of there is not.
type Remedy struct {
	Line         string // for a function on cgo
	CallbackLine string // for one that is turned by its callbacks
	Asks         string
}

// mostAdvice is how many functions are spoken of.
const mostAdvice = 10

// Advise completes the report: what to do about the functions that cost 1 % of processor
// time and more, because they are on cgo or are turned again and again.
func (r *Report) Advise(remedy func(pkg, function string) Remedy) {
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Kind != Call || time.Duration(r.CPUNS) < tooShort {
			continue
		}
		known := remedy(row.Package, row.Function)
		a := Advice{Package: row.Package, Function: row.Function, Reasons: strings.Split(row.Why, "; ")}
		t := &row.Turned
		switch turning := float64(t.all()) * r.Costs.Call["cgo"]; {
		case row.Mode == "cgo":
			a.Share, a.What = share(row.SavesNS, time.Duration(r.CPUNS)), "through cgo"
			a.Line, a.Asks = known.Line, known.Asks
		case t.Callback > t.all()/2:
			a.Share, a.What = share(turning, time.Duration(r.CPUNS)), group(t.Callback)+" of its calls turned by callbacks"
			a.Line, a.Asks = known.CallbackLine, known.Asks
		case t.all() > 0:
			a.Share = share(turning, time.Duration(r.CPUNS))
			a.What = fmt.Sprintf("%s of its calls turned, to go on for %s: cgo is right for them",
				group(t.all()), formatTime(float64(t.NS)/float64(t.all())))
		}
		if a.Line == "" {
			a.Asks = ""
		}
		if a.Share >= matters {
			r.Advice = append(r.Advice, a)
		}
	}
	slices.SortStableFunc(r.Advice, func(a, b Advice) int { return cmp.Compare(b.Share, a.Share) })
	r.Advice = r.Advice[:min(mostAdvice, len(r.Advice))]
}

func (r *Report) writeAdvice(w io.Writer) {
	if len(r.Advice) == 0 {
		return
	}
	fmt.Fprintln(w, "what to do:")
	for _, a := range r.Advice {
		fmt.Fprintf(w, "  C.%s of %s, %s of CPU time, %s\n", a.Function, a.Package, percent(a.Share), a.What)
		for _, reason := range a.Reasons {
			fmt.Fprintf(w, "    because: %s\n", reason)
		}
		switch {
		case a.Line != "":
			fmt.Fprintf(w, "    wherry.policy: %s\n    asks: %s\n", a.Line, a.Asks)
		default:
			fmt.Fprintln(w, "    no line of wherry.policy would change that")
		}
	}
	fmt.Fprintln(w)
}
