package check

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/wherrygo/wherry/internal/read/flow"
)

// ComparesStack returns the functions, outside of the C library, that compare their stack
// pointer with an address that the program remembers, as interpreters do to find out how
// deep a recursion is: they must not run on another stack than the one that it is of. It is
// a guess: a comparison behind a call is not seen.
func (p *Program) ComparesStack() []string {
	var names []string
	for _, l := range p.images {
		if l.system {
			continue
		}
		for _, addr := range l.functions() {
			if p.remembers(l, addr) {
				names = append(names, l.describe(addr))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// functions returns where functions start, by symbols and by unwind information.
func (l *loaded) functions() []uint64 {
	starts := map[uint64]bool{}
	for i := range l.Frames {
		starts[l.Frames[i].Start] = true
	}
	for i := range l.Symbols {
		if s := &l.Symbols[i]; s.Func {
			starts[s.Addr] = !isPartName(s.Name)
		}
	}
	maps.DeleteFunc(starts, func(addr uint64, whole bool) bool { return !whole || l.Code(addr) == nil })
	return slices.Sorted(maps.Keys(starts))
}

// describe names a function, if only by the file that it is of.
func (l *loaded) describe(addr uint64) string {
	if name := plainest(l.Names(addr)); name != "" {
		return name
	}
	return fmt.Sprintf("a function of %s (at %#x)", filepath.Base(l.Path), addr)
}

func (p *Program) remembers(l *loaded, addr uint64) bool {
	if n := p.nodes[place{l.index, addr, false}]; n != nil && n.function != nil {
		return len(n.function.Remembered) > 0
	}
	return flow.MayRemember(p.arch, memory{l}, addr) && len(flow.Analyze(p.arch, memory{l}, addr).Remembered) > 0
}
