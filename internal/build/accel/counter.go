package accel

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// A counter puts counters into the C text of one package, for wherry stat. It
// does nothing in other builds.
type counter struct {
	on       bool
	pkg      string
	places   map[string]map[string]string // by C file: what to put after a head
	found    bool
	warnings []string
}

func (c *Config) newCounter(cgo *cgoCommand) *counter {
	n := &counter{on: c.Count, pkg: cgo.importPath, places: map[string]map[string]string{}}
	if n.on && cgo.unsuitable != "" {
		n.on = false
		n.warnings = append(n.warnings, fmt.Sprintf("crossings of %s are not counted: its C code is compiled with %s",
			cgo.importPath, cgo.unsuitable))
	}
	return n
}

func (n *counter) place(f Function, kind, mode string) stat.Place {
	return stat.Place{Package: n.pkg, Function: f.Name, Kind: kind, Mode: mode, Why: f.Why}
}

// twin returns the text for the start of a function's twin.
func (n *counter) twin(f Function) string {
	if !n.on {
		return ""
	}
	n.found = true
	return unmacroed(stat.Count("0", n.place(f, stat.Call, f.Mode.String())))
}

// call counts in cgo's wrapper, which a function that has left cgo does not reach.
func (n *counter) call(call decision, f *function, source *parsed) {
	if !n.on {
		return
	}
	if f.symbol == "" {
		if err := source.recognize(f); err != nil {
			n.warnings = append(n.warnings, fmt.Sprintf("C.%s of %s is not counted: %v", f.name, n.pkg, err))
			return
		}
	}
	w, ok := source.wrappers[f.symbol]
	if !ok {
		n.warnings = append(n.warnings, fmt.Sprintf("C.%s of %s is not counted: its generated C wrapper was not found", f.name, n.pkg))
		return
	}
	function := call.Function
	if function.Mode != policy.Cgo {
		function.Why = "read: it stays on cgo" // decided later, but then only by what its code shows
	}
	n.add(w.path, w.head, stat.Count("0", n.place(function, stat.Call, policy.Cgo.String())))
}

func (n *counter) add(path, head, text string) {
	if n.places[path] == nil {
		n.places[path] = map[string]string{}
	}
	n.places[path][head] = text
	n.found = true
}

// exports warns of exported functions that callback will not be asked about.
func (n *counter) exports(text string) {
	if missed := strings.Count(text, "\tcrosscall2(") - len(exportPattern().FindAllString(text, -1)); n.on && missed > 0 {
		n.warnings = append(n.warnings, fmt.Sprintf("%d exported functions of %s are not counted: their generated C code was not understood",
			missed, n.pkg))
	}
}

// callback returns the text for the start of an exported function's C side.
func (n *counter) callback(name string) string {
	if !n.on {
		return ""
	}
	n.found = true
	return unmacroed(stat.Count(write("way of callback", nil),
		n.place(Function{Name: name, Why: "called from a C function that is on cgo, or from a C thread"}, stat.Callback, policy.Cgo.String()),
		n.place(Function{Name: name, Why: "called from a reentrant C function"}, stat.Callback, policy.Reentrant.String()),
		n.place(Function{Name: name, Why: "called from a C thread that holds its P"}, stat.Callback, "held")))
}

func (n *counter) declaration() string {
	if !n.on {
		return ""
	}
	return unmacroed(stat.Declaration)
}

// write puts the counters into the files, and reports whether there are any.
func (n *counter) write() (bool, error) {
	for path, places := range n.places {
		text, err := os.ReadFile(path)
		if err != nil {
			return false, fmt.Errorf("accel: %w", err)
		}
		edited := string(text)
		for _, head := range slices.Sorted(maps.Keys(places)) {
			edited = strings.Replace(edited, head, unmacroed(stat.Declaration)+head+unmacroed(places[head]), 1)
		}
		if err := os.WriteFile(path, []byte(edited), 0o666); err != nil {
			return false, fmt.Errorf("accel: %w", err)
		}
	}
	return n.found, nil
}
