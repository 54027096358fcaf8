package check

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Explain writes all of the reasoning about one function: what it reaches, the
// deepest stack, loops, every place of every hazard in reach, notes, and what
// was assumed.
func (p *Program) Explain(w io.Writer, name string) error {
	results, err := p.Check(name)
	if err != nil {
		return err
	}
	r, n := results[0], p.find(name)
	reached := p.reached(n)
	fmt.Fprintf(w, "%s: %s\n\n", r.Name, r.Verdict)
	fmt.Fprintf(w, "It reaches %d functions, %d of them by a fact instead of their code.\n", len(reached), countFacts(reached))
	for _, l := range p.Libraries() {
		fmt.Fprintf(w, "  %s%s\n", l.Path, map[bool]string{true: " (build id " + l.BuildID + ")"}[l.BuildID != ""])
	}
	for _, missing := range p.files.Missing {
		fmt.Fprintf(w, "  %s: not found\n", missing)
	}
	p.explainStack(w, n)
	fmt.Fprintln(w, "\nLoops:")
	count := 0
	for _, m := range reached {
		if m.fact != nil && m.fact.loops {
			fmt.Fprintf(w, "  %s, by a fact\n", m.name)
			count++
		}
		if m.function == nil || m.ifunc {
			continue
		}
		for _, at := range m.function.Loops {
			if count++; count <= 20 {
				fmt.Fprintf(w, "  %s\n", m.at(at))
			}
		}
	}
	if count > 20 {
		fmt.Fprintf(w, "  and %d more\n", count-20)
	} else if count == 0 {
		fmt.Fprintln(w, "  none")
	}
	for c := range classes {
		if !n.reach.has(c) {
			continue
		}
		allowed := ""
		if f := p.allowed(c, name); f != nil {
			allowed = ", allowed by " + f.pos
		}
		fmt.Fprintf(w, "\nHazard %v%s:\n", c, allowed)
		for i, frame := range p.trace(n, c).Path {
			place := frame.Where()
			if place == "" && frame.Site != 0 {
				place = fmt.Sprintf("%#x", frame.Site)
			}
			fmt.Fprintf(w, "  %s%s %s\n", strings.Repeat("  ", i), frame.Function, place)
		}
		places := 0
		for _, m := range reached {
			for _, h := range m.hazards {
				if h.class != c {
					continue
				}
				if places++; places <= 20 {
					fmt.Fprintf(w, "  in %s %s\n", m.at(h.site), h.detail)
				}
			}
		}
		if places > 20 {
			fmt.Fprintf(w, "  and in %d more places\n", places-20)
		}
	}
	if len(r.Notes) > 0 {
		fmt.Fprintln(w, "\nNotes:")
		for _, note := range r.Notes {
			fmt.Fprintf(w, "  %v\n", note)
		}
	}
	fmt.Fprintln(w, "\nAssumed:")
	for _, a := range r.Assumptions {
		fmt.Fprintf(w, "  %s: %s\n", a.Pos, shorten(a.Text))
	}
	if len(r.Assumptions) == 0 {
		fmt.Fprintln(w, "  nothing")
	}
	return nil
}

func shorten(text string) string {
	if len(text) > 100 {
		return text[:100] + "..."
	}
	return text
}

// at names a place in a function.
func (n *node) at(site uint64) string {
	if n.from == nil || site == 0 {
		return n.name
	}
	if file, line := n.from.Line(site); file != "" {
		return fmt.Sprintf("%s (%s:%d)", n.name, file, line)
	}
	return fmt.Sprintf("%s (%#x)", n.name, site)
}

// reached returns all functions that one reaches, nearest first.
func (p *Program) reached(n *node) []*node {
	seen := map[*node]bool{n: true}
	queue := []*node{n}
	for i := 0; i < len(queue); i++ {
		for _, e := range queue[i].edges {
			if !seen[e.to] {
				seen[e.to] = true
				queue = append(queue, e.to)
			}
		}
	}
	return queue
}

func countFacts(nodes []*node) int {
	count := 0
	for _, n := range nodes {
		if n.fact != nil {
			count++
		}
	}
	return count
}

// explainStack writes the calls that make the stack as deep as it can be.
func (p *Program) explainStack(w io.Writer, n *node) {
	if n.stack == unboundedStack {
		fmt.Fprintln(w, "\nStack: no bound.")
		return
	}
	fmt.Fprintf(w, "\nStack: %d bytes at most:\n", n.stack)
	var seen []*node
	for n != nil && !slices.Contains(seen, n) {
		seen = append(seen, n)
		var deepest *edge
		if n.function != nil {
			most := n.function.Stack
			for i := range n.edges {
				e := &n.edges[i]
				at := e.depth
				if e.tail {
					at -= p.files.Arch.Word()
				}
				if e.to.stack != unboundedStack && at+e.to.stack > most {
					most, deepest = at+e.to.stack, e
				}
			}
		}
		switch {
		case deepest != nil:
			fmt.Fprintf(w, "  %6d  %s\n", deepest.depth, n.at(deepest.site))
			n = deepest.to
			continue
		case n.function != nil && n.fact == nil:
			fmt.Fprintf(w, "  %6d  %s\n", n.function.Stack, n.name)
		default:
			fmt.Fprintf(w, "  %6d  %s, by a fact\n", n.stack, n.name)
		}
		return
	}
}
