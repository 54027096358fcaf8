package enter

import "github.com/wherrygo/wherry/internal/rt"

// A Watch stands between a direct stub and its C function, in builds with the
// watchdog (internal/watchdog).
type Watch struct {
	Symbol  string // what the stub calls
	Target  string // the C function
	Name    string // of it, for messages
	Package string // import path
}

// Assembly gives it as lines for an assembler of GNU syntax.
func (w Watch) Assembly(goarch string, offsets rt.Offsets) ([]string, error) {
	words := map[string]string{"STUB": w.Symbol, "TARGET": w.Target, "NAME": w.Name, "PACKAGE": w.Package, "RECORD": w.Symbol + "_watched"}
	return fill("watch_"+goarch+".gas", goarch, words, offsets, func(tag string) bool { return tag != "SHARED" })
}

// Watched gives what all of them share.
func Watched(goarch string, offsets rt.Offsets) ([]string, error) {
	return fill("watched_"+goarch+".gas", goarch, nil, offsets, func(string) bool { return true })
}
