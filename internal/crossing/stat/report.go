package stat

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Turns says how many calls of a function became cgo calls while they ran, or before
// they began, and by what.
type Turns struct {
	Signal   uint64 `json:"signal"`   // the runtime wanted the thread
	Blocking uint64 `json:"blocking"` // C called a function that may block
	Callback uint64 `json:"callback"` // C called Go
	Cgo      uint64 `json:"cgo"`      // before they began: the function is known to last
	NS       uint64 `json:"ns"`       // how long they lasted from then on, together
}

func (t *Turns) all() uint64 { return t.Signal + t.Blocking + t.Callback + t.Cgo }

func (t *Turns) add(by string, n uint64) {
	for i, field := range []*uint64{&t.Signal, &t.Blocking, &t.Callback, &t.Cgo, &t.NS} {
		if turnedBy[i] == by {
			*field += n
		}
	}
}

// Holds says how often threads that C created began to hold their P, and how they gave it back.
type Holds struct {
	Held      uint64 `json:"held"`
	TakenBack Turns  `json:"taken_back"`
}

// A Row is what is said of one place. Times are estimates: the count times what
// such a crossing costs on this machine.
type Row struct {
	Package  string  `json:"package"`
	Function string  `json:"function"`
	Kind     string  `json:"kind"` // call or callback
	Mode     string  `json:"mode"` // cgo, fast or reentrant; of a callback cgo, reentrant or held
	Why      string  `json:"why"`
	N        uint64  `json:"crossings"`
	Rate     float64 `json:"per_second"`
	NS       float64 `json:"time_ns"`        // in these crossings
	Share    float64 `json:"cpu_share"`      // of the program's processor time, 0 to 1
	SavesNS  float64 `json:"could_save_ns"`  // by acceleration
	Checks   float64 `json:"pointer_checks"` // of one call
	Turned   Turns   `json:"turned"`
}

// A Report is what wherry stat found.
type Report struct {
	Program   string   `json:"program"`
	WallNS    int64    `json:"wall_ns"`
	CPUNS     int64    `json:"cpu_ns"`
	Calls     uint64   `json:"calls"`
	Callbacks uint64   `json:"callbacks"`
	NS        float64  `json:"time_ns"`
	Share     float64  `json:"cpu_share"`
	Saves     float64  `json:"could_save_share"`
	ByCgo     float64  `json:"plain_cpu_share"` // of a plain program's processor time: crossings, all through cgo
	Verdict   string   `json:"verdict"`
	Costs     Costs    `json:"costs"`
	Rows      []Row    `json:"functions"` // the most time first
	Idle      int      `json:"never_called"`
	Threads   Holds    `json:"c_threads"`
	WhyNot    []string `json:"why_not"` // no thread holds its P, or no call is turned
	Warnings  []string `json:"warnings"`
	Advice    []Advice `json:"what_to_do"`
}

// Judge makes the report on a program that ran so long and used so much
// processor time.
func Judge(program string, counts []Counted, costs Costs, wall, cpu time.Duration) *Report {
	r := &Report{Program: program, WallNS: int64(wall), CPUNS: int64(cpu), Costs: costs, Rows: []Row{},
		WhyNot: []string{}, Warnings: []string{}, Advice: []Advice{}}
	saves, plain := 0.0, 0.0
	called := map[[2]string]bool{} // in any mode
	turned := map[[2]string]*Turns{}
	for _, c := range counts {
		switch name := [2]string{c.Package, c.Function}; {
		case c.Kind == Turned:
			if turned[name] == nil {
				turned[name] = new(Turns)
			}
			turned[name].add(c.Mode, c.N)
		case c.Kind == Held && c.Mode == "held":
			r.Threads.Held += c.N
		case c.Kind == WhyNot:
			r.WhyNot = append(r.WhyNot, c.Why)
		case c.Kind == Held:
			r.Threads.TakenBack.add(c.Mode, c.N)
		}
	}
	for _, c := range sum(counts) {
		name := [2]string{c.Package, c.Function}
		if c.Kind == Call {
			called[name] = called[name] || c.N > 0
		}
		if c.N == 0 || c.Kind != Call && c.Kind != Callback {
			continue
		}
		row := Row{Package: c.Package, Function: c.Function, Kind: c.Kind, Mode: c.Mode, Why: c.Why, N: c.N, Rate: float64(c.N) / wall.Seconds()}
		row.NS = float64(c.N) * costs.of(c.Kind, c.Mode)
		if t := turned[name]; t != nil && c.Kind == Call && c.Mode != "cgo" {
			row.Turned = *t
			row.NS += float64(t.all()) * costs.Call["cgo"]
		}
		row.Share = share(row.NS, cpu)
		if c.Kind == Call && c.Mode == "cgo" {
			row.Checks = costs.Checks[name]
		}
		plain += max(row.NS, float64(c.N)*costs.of(c.Kind, "cgo"))
		row.SavesNS = float64(c.N) * (costs.saves(c.Kind, c.Mode) + row.Checks*costs.check())
		if c.Kind == Callback {
			r.Callbacks += c.N
		} else {
			r.Calls += c.N
		}
		r.NS += row.NS
		saves += row.SavesNS
		r.Rows = append(r.Rows, row)
	}
	for _, was := range called {
		if !was {
			r.Idle++
		}
	}
	slices.SortStableFunc(r.Rows, func(a, b Row) int { return cmp.Compare(b.NS, a.NS) })
	r.Share, r.Saves = share(r.NS, cpu), share(saves, cpu)
	r.ByCgo = share(plain, cpu+time.Duration(plain-r.NS))
	r.Verdict = r.verdict()
	return r
}

// sum adds up what was counted for one place in several.
func sum(counts []Counted) (sums []Counted) {
	at := map[Place]int{}
	for _, c := range counts {
		i, seen := at[c.Place]
		if !seen {
			i = len(sums)
			at[c.Place] = i
			sums = append(sums, Counted{Place: c.Place})
		}
		sums[i].N += c.N
	}
	return sums
}

// share is at most 1: the times are estimates, the processor's is not.
func share(ns float64, cpu time.Duration) float64 {
	if cpu <= 0 {
		return 0
	}
	return min(1, ns/float64(cpu))
}

// saves is what acceleration could save of one crossing.
func (c Costs) saves(kind, mode string) float64 {
	switch {
	case mode != "cgo":
		return 0
	case kind == Callback:
		return max(0, c.Callback["cgo"]-c.Callback["reentrant"])
	}
	return max(0, c.Call["cgo"]-c.Call["fast"])
}

const (
	tooShort = 20 * time.Millisecond // of processor time, to say anything
	matters  = 0.01                  // of processor time
)

func (r *Report) verdict() string {
	crossings := percent(r.Share) + " of CPU time is crossings"
	if r.ByCgo-r.Share >= 0.001 {
		crossings += fmt.Sprintf(" (%s in the plain program)", percent(r.ByCgo))
	}
	switch {
	case len(r.Rows) == 0:
		return "no crossing was counted: cgo is not this program's cost"
	case time.Duration(r.CPUNS) < tooShort:
		return fmt.Sprintf("the program used only %s of CPU time, too little to judge by: give it more work", formatTime(float64(r.CPUNS)))
	case r.ByCgo < matters && r.Saves < r.ByCgo/2:
		return crossings + ": acceleration does not help"
	case r.ByCgo < matters:
		return crossings + ": acceleration will not help"
	case r.Saves == 0:
		return crossings + ", and acceleration could save nothing more"
	case r.Saves < matters:
		return crossings + ", and acceleration could save " + percent(r.Saves) + " more"
	}
	return fmt.Sprintf("%s: acceleration could save up to %s, where it is safe (wherry help policy)", crossings, percent(r.Saves))
}
