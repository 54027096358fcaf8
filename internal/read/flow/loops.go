package flow

// loops finds jumps back: ways from a block to one that leads to it.
func (a *analysis) loops() {
	const grey, black = 1, 2
	color := make([]uint8, len(a.leaders))
	var visit func(b int32)
	visit = func(b int32) {
		color[b] = grey
		i := a.leaders[b]
		for a.next[i] != none && a.block[a.next[i]] == 0 && a.jump[i] == none && len(a.tables[i]) == 0 {
			i = a.next[i]
		}
		a.successors(i, func(to int32, _ bool) {
			switch t := a.block[to] - 1; {
			case t < 0 || color[t] == black:
			case color[t] == grey:
				a.function.Loops = append(a.function.Loops, a.insts[i].Addr)
			default:
				visit(t)
			}
		})
		color[b] = black
	}
	visit(0)
}
