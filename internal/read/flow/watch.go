package flow

// A loop waits for another thread if its end depends on memory that others write: it
// reads a place again and again until something else stands there. watches reports
// whether that is not excluded of one. A loop does not wait if all that decides about its
// end comes from
//
//   - registers that do not come from such memory;
//   - counters, which each round changes by the same amount (counter.go);
//   - memory that nobody writes;
//   - places of which each is read once, as the bytes of a string: the address is a sum
//     to which each round adds a constant.
//
// What a call leaves in registers may come from anywhere. Registers that are written in some
// rounds only depend on what decides about that. An instruction that the decoders do
// not describe reads all registers.

// A watcher looks at the loops of a function.
type watcher struct {
	*analysis
	*graph
	inside []bool // of each block: in the loop that is looked at, without its head once that is done
}

// watches finds the loops, from the outside in.
func (a *analysis) watches() bool {
	w := &watcher{analysis: a, graph: a.graph(), inside: make([]bool, len(a.leaders))}
	all := make([]int32, 0, len(a.leaders))
	for b := range a.leaders {
		if w.inside[b] = a.states[b].set; w.inside[b] {
			all = append(all, int32(b))
		}
	}
	loops := w.cycles(all, w.inside)
	if len(loops) == 0 {
		return false
	}
	clear(w.inside)
	for len(loops) > 0 {
		blocks := loops[len(loops)-1]
		loops = loops[:len(loops)-1]
		head := w.head(blocks)
		for _, b := range blocks {
			w.inside[b] = true
		}
		l := &loop{watcher: w, blocks: blocks, head: head}
		if l.waits() {
			return true
		}
		if head != none {
			w.inside[head] = false
			loops = append(loops, l.inner...)
		}
		for _, b := range blocks {
			w.inside[b] = false
		}
	}
	return false
}

// head returns the block by which a loop is entered, or none if there are several.
func (w *watcher) head(blocks []int32) int32 {
	in := map[int32]bool{}
	for _, b := range blocks {
		in[b] = true
	}
	head := int32(none)
	for from := range w.to {
		if in[int32(from)] || !w.states[from].set {
			continue
		}
		for _, to := range w.to[from] {
			if in[to] && to != head {
				if head != none {
					return none
				}
				head = to
			}
		}
	}
	if in[0] { // by callers
		if head != none && head != 0 {
			return none
		}
		head = 0
	}
	return head
}
