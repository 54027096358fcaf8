package read

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/wherrygo/wherry/internal/libc"
)

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

// byName are the functions that package libc knows by their names.
var byName = sync.OnceValue(func() *names {
	n := &names{exact: map[string]*known{}}
	for _, f := range slices.Concat(libc.Functions(), libc.Others()) {
		if f.Does == "" {
			continue
		}
		k := &known{returns: !f.NoReturn, loops: f.Loops}
		if f.Does != libc.Leaf && f.Does != libc.Fatal {
			c, ok := parseClass(f.Does)
			if !ok {
				panic(fmt.Sprintf("BUG: read: libc.list says that %s does %q, which is no class", f.Name, f.Does))
			}
			k.does = setOf(c)
		}
		n.add(f.Name, k)
	}
	for library, callees := range libc.Never() {
		for _, callee := range callees {
			n.never = append(n.never, never{library, callee})
		}
	}
	return n
})
