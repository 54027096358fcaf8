package event

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"testing"
)

// An exploration visits all states that a model can come to.
type exploration[S comparable] struct {
	mutation string // a mistake that the model is to have
	limit    int    // of states; 0: none
	seen     fingerprints
	stack    []S
	pushed   []S // these may be new
	hashes   []uint64
	seed     maphash.Seed
}

// A wrong is what fail found.
type wrong string

func (e *exploration[S]) fail(s *S, format string, args ...any) {
	panic(wrong(fmt.Sprintf(format, args...) + fmt.Sprintf(" in %+v", *s)))
}

func (e *exploration[S]) mutated(name string) bool { return e.mutation == name }

// explore begins with a state, and goes on with those that successors pushes. It returns what is
// wrong with the first that is.
func (e *exploration[S]) explore(begin S, successors func(*S)) (found string) {
	defer func() {
		if r := recover(); r != nil {
			text, ok := r.(wrong)
			if !ok {
				panic(r)
			}
			found = string(text)
		}
	}()
	e.seed, e.seen = maphash.MakeSeed(), fingerprints{}
	for e.push(begin); e.take() && (e.limit == 0 || e.seen.n < e.limit); {
		s := e.stack[len(e.stack)-1]
		e.stack = e.stack[:len(e.stack)-1]
		successors(&s)
	}
	return ""
}

// push adds a state, if it turns out to be new. A 64-bit hash may take two states for one: with 10 million
// states the chance is 3 in a million, with 310 million 3 in a thousand, and the seed is
// another one in every run.
func (e *exploration[S]) push(s S) {
	e.pushed, e.hashes = append(e.pushed, s), append(e.hashes, maphash.Comparable(e.seed, s))
}

// take moves what is new of the pushed states to the stack, many at once: the table is larger than
// any cache, and a processor waits for several of its words together where it would for one. It
// reports whether there is a state.
func (e *exploration[S]) take() bool {
	if len(e.pushed) < 64 && len(e.stack) > 0 {
		return true
	}
	e.seen.grow(len(e.hashes))
	e.seen.touch(e.hashes)
	for i, hash := range e.hashes {
		if e.seen.add(hash) {
			e.stack = append(e.stack, e.pushed[i])
		}
	}
	e.pushed, e.hashes = e.pushed[:0], e.hashes[:0]
	return len(e.stack) > 0
}

func (e *exploration[S]) mistake(mutation string, limit int) { e.mutation, e.limit = mutation, limit }

// findsMistakes holds that one of the models at least finds each mutation among so many states.
func findsMistakes[M interface {
	fmt.Stringer
	mistake(mutation string, limit int)
	run() (wrong string)
}](t *testing.T, limit int, models func() []M, mutations ...string) {
	for _, mutation := range mutations {
		t.Run(strings.ReplaceAll(mutation, " ", "-"), func(t *testing.T) {
			found := slices.ContainsFunc(models(), func(m M) bool {
				m.mistake(mutation, limit)
				wrong := m.run()
				if wrong != "" {
					t.Logf("%v: %s", m, wrong[:strings.Index(wrong, " in {")])
				}
				return wrong != ""
			})
			if !found {
				t.Error("no interleaving shows it")
			}
		})
	}
}
