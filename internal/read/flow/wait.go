package flow

// smallLoop is how many bytes a loop has at most that is looked at here. Loops
// that take a lock or wait are short.
const smallLoop = 128

// waitLoops notes the loops that try an atomic operation again and again, as
// locks do, or watch the clock. Every loop jumps to a lower address somewhere.
// A loop that only reads what another thread writes counts as any other loop.
func (a *analysis) waitLoops() {
	for i := range a.insts {
		to := a.jump[i]
		if to == none || a.insts[to].Addr > a.insts[i].Addr || a.insts[i].Addr-a.insts[to].Addr > smallLoop || !a.circles(to, int32(i)) {
			continue
		}
		if kind, waits := a.waits(a.insts[to].Addr, a.insts[i].Addr); waits {
			a.function.Findings = append(a.function.Findings, Finding{Kind: kind})
		}
	}
}

// circles reports whether a way leads from head to latch between their addresses.
func (a *analysis) circles(head, latch int32) bool {
	seen := map[int32]bool{head: true}
	trail := []int32{head}
	for len(trail) > 0 {
		at := trail[len(trail)-1]
		trail = trail[:len(trail)-1]
		if at == latch {
			return true
		}
		a.successors(at, func(to int32, _ bool) {
			if addr := a.insts[to].Addr; !seen[to] && addr >= a.insts[head].Addr && addr <= a.insts[latch].Addr {
				seen[to] = true
				trail = append(trail, to)
			}
		})
	}
	return false
}

// waits looks at the instructions between two addresses.
func (a *analysis) waits(head, latch uint64) (kind Kind, waits bool) {
	for addr := head; addr <= latch; {
		i, ok := a.find(addr)
		switch {
		case !ok:
			addr++ // not reached, or the middle of an instruction
			continue
		case a.insts[i].Atomic:
			return LockLoop, true
		case a.insts[i].Clock:
			return WaitLoop, true
		}
		addr += max(uint64(a.insts[i].Len), 1)
	}
	return 0, false
}
