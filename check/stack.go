package check

import (
	"slices"

	"github.com/wherrygo/wherry/internal/read"
	"github.com/wherrygo/wherry/internal/read/flow"
)

// ComparesStack returns the functions, outside of the C library, that compare their stack
// pointer with an address that the program remembers, as interpreters do to find out how
// deep a recursion is: they must not run on another stack than the one that it is of. It is
// a guess: a comparison behind a call is not seen.
func (p *Program) ComparesStack() []string {
	var names []string
	for _, l := range p.files.List {
		if l.System {
			continue
		}
		for _, addr := range l.Starts() {
			if p.remembers(l, addr) {
				names = append(names, l.Describe(addr))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p *Program) remembers(l *read.File, addr uint64) bool {
	if n := p.nodes[place{l.Index, addr, false}]; n != nil && n.function != nil {
		return len(n.function.Remembered) > 0
	}
	return flow.MayRemember(p.files.Arch, memory{l, p}, addr) && len(flow.Analyze(p.files.Arch, memory{l, p}, addr).Remembered) > 0
}
