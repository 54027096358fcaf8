package flow

// loops finds jumps back: ways from a block to one that leads to it.
func (a *analysis) loops() {
	const white, grey, black = 0, 1, 2
	color := make([]uint8, len(a.leaders))
	type visit struct {
		block int32
		edges []int32
		last  int32
	}
	enter := func(b int32) visit {
		color[b] = grey
		i := a.leaders[b]
		for a.next[i] != none && a.block[a.next[i]] == 0 && a.jump[i] == none && len(a.tables[i]) == 0 {
			i = a.next[i]
		}
		v := visit{block: b, last: i}
		a.successors(i, func(to int32, _ bool) {
			if t := a.block[to] - 1; t >= 0 {
				v.edges = append(v.edges, t)
			}
		})
		return v
	}
	trail := []visit{enter(0)}
	for len(trail) > 0 {
		top := &trail[len(trail)-1]
		if len(top.edges) == 0 {
			color[top.block] = black
			trail = trail[:len(trail)-1]
			continue
		}
		to := top.edges[len(top.edges)-1]
		top.edges = top.edges[:len(top.edges)-1]
		switch color[to] {
		case grey:
			a.function.Loops = append(a.function.Loops, a.insts[top.last].Addr)
		case white:
			trail = append(trail, enter(to))
		}
	}
}
