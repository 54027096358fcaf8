package read

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// libcText says what functions of the GNU C library do, where their code does not show it,
// and of Go's runtime/cgo.
//
//go:embed libc.txt
var libcText string

// A known function is one that is not read: its name says what it does.
type known struct {
	does    classSet
	loops   bool
	returns bool
	unseen  bool // it waits without that wherry sees it
}

// names are what functions are known by.
type names struct {
	exact map[string]*known
	globs []glob
	never []never
}

type glob struct {
	pattern string
	*known
}

// A never is a call that functions of a library have in their code and never make.
type never struct{ library, callee string }

// about returns what is known of a function, or nil.
func (n *names) about(name string) *known {
	if k := n.exact[name]; k != nil {
		return k
	}
	for _, g := range n.globs {
		if ok, _ := path.Match(g.pattern, name); ok {
			return g.known
		}
	}
	return nil
}

func (n *names) add(name string, k *known) {
	if strings.ContainsAny(name, "*?[") {
		n.globs = append(n.globs, glob{name, k})
		return
	}
	n.exact[name] = k
}

// libc is what libcText says.
var libc = sync.OnceValue(func() *names {
	n, err := parse(libcText)
	if err != nil {
		panic("BUG: read: libc.txt: " + err.Error())
	}
	return n
})

func parse(text string) (*names, error) {
	n := &names{exact: map[string]*known{}}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		all := strings.Fields(line)
		if len(all) == 0 {
			continue
		}
		words := slices.DeleteFunc(slices.Clone(all[1:]), func(w string) bool {
			return w == "loops" || w == "noreturn"
		})
		k := &known{returns: all[0] != "fatal" && !slices.Contains(all, "noreturn"), loops: slices.Contains(all, "loops")}
		switch {
		case all[0] == "hazard" && len(words) > 1:
			c, ok := parseClass(words[0])
			if !ok {
				return nil, fmt.Errorf("%q: unknown class", line)
			}
			k.does, words = setOf(c), words[1:]
		case all[0] == "leaf", all[0] == "fatal":
		case all[0] == "never" && len(words) > 1 && strings.HasPrefix(words[0], "@"):
			for _, callee := range words[1:] {
				n.never = append(n.never, never{words[0][1:], callee})
			}
			continue
		default:
			return nil, fmt.Errorf("%q: want hazard CLASS, leaf, fatal or never @LIBRARY, and names", line)
		}
		for _, name := range words {
			n.add(name, k)
		}
	}
	return n, nil
}
