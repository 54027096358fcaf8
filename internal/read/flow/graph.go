package flow

import "slices"

// A graph is that of the blocks that can run.
type graph struct {
	to [][]int32 // the blocks behind each
}

// last returns the last instruction of a block.
func (a *analysis) last(b int32) int32 {
	i := a.leaders[b]
	for a.next[i] != none && a.block[a.next[i]] == 0 && a.jump[i] == none && len(a.tables[i]) == 0 {
		i = a.next[i]
	}
	return i
}

// graph joins the blocks.
func (a *analysis) graph() *graph {
	g := &graph{to: make([][]int32, len(a.leaders))}
	for b := range int32(len(a.leaders)) {
		a.successors(a.last(b), func(to int32, _ bool) {
			if t := a.block[to] - 1; t >= 0 && !slices.Contains(g.to[b], t) {
				g.to[b] = append(g.to[b], t)
			}
		})
	}
	return g
}

// cycles returns the sets of blocks in which each leads to each, among those of which
// inside is true: loops, with the loops in them (Tarjan, "Depth-first search and linear
// graph algorithms", 1972).
func (g *graph) cycles(blocks []int32, inside []bool) (found [][]int32) {
	number, low := map[int32]int{}, map[int32]int{}
	onPath := map[int32]bool{}
	var path []int32
	var visit func(b int32)
	visit = func(b int32) {
		number[b] = len(number) + 1
		low[b] = number[b]
		start := len(path)
		path, onPath[b] = append(path, b), true
		for _, to := range g.to[b] {
			switch {
			case !inside[to]:
			case number[to] == 0:
				visit(to)
				low[b] = min(low[b], low[to])
			case onPath[to]:
				low[b] = min(low[b], number[to])
			}
		}
		if low[b] < number[b] {
			return
		}
		group := slices.Clone(path[start:])
		path = path[:start]
		for _, m := range group {
			onPath[m] = false
		}
		if len(group) > 1 || slices.Contains(g.to[b], b) {
			found = append(found, group)
		}
	}
	for _, b := range blocks {
		if inside[b] && number[b] == 0 {
			visit(b)
		}
	}
	return found
}

// reaches reports whether a way of at least one step leads from a block to another,
// among those of which inside is true, but not through without.
func (g *graph) reaches(from, to, without int32, inside []bool) bool {
	seen := map[int32]bool{}
	trail := []int32{from}
	for len(trail) > 0 {
		at := trail[len(trail)-1]
		trail = trail[:len(trail)-1]
		for _, next := range g.to[at] {
			if next == to {
				return true
			}
			if inside[next] && next != without && !seen[next] {
				seen[next] = true
				trail = append(trail, next)
			}
		}
	}
	return false
}

// loops reports whether there is a jump back: a way from a block to one that leads to it.
func (a *analysis) loops() bool {
	const grey, black = 1, 2
	color := make([]uint8, len(a.leaders))
	var visit func(b int32) bool
	visit = func(b int32) (found bool) {
		color[b] = grey
		a.successors(a.last(b), func(to int32, _ bool) {
			if t := a.block[to] - 1; t >= 0 && !found {
				found = color[t] == grey || color[t] != black && visit(t)
			}
		})
		color[b] = black
		return found
	}
	return visit(0)
}
