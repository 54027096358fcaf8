package tests

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// tasksOf is how many tasks a plan has: the default of testdata/programs/base/main.go.
const tasksOf = 20

// cut removes from a program that differs what it differs without: tasks, nesting, pieces,
// settings, and then the pieces' sources; it leaves what remains in a folder. A program
// that does not always differ is given several chances.
func (s *programSource) cut(m *module, p programPlan) {
	m.t.Helper()
	start := time.Now()
	p.run(m, "./plain")
	p.limit = min(p.limit, 10*time.Second+20*time.Since(start)) // one that hangs does so in each try
	differs := func(m *module, p programPlan) bool {
		want := p.run(m, "./plain")
		for range 5 {
			if !p.run(m, "./fast").equals(want) {
				return want.status == 0
			}
		}
		return false
	}
	if !differs(m, p) {
		m.t.Log("it does not differ each time: not cut down")
		s.keep(m, p.String())
		return
	}
	for i := range tasksOf {
		p.only = append(p.only, strconv.Itoa(i))
	}
	p.only = needed(p.only, func(only []string) bool {
		q := p
		q.only = only
		return len(only) > 0 && differs(m, q)
	})
	for p.depth > 1 {
		q := p
		if q.depth--; !differs(m, q) {
			break
		}
		p = q
	}
	p.setting = needed(p.setting, func(setting []string) bool { q := p; q.setting = setting; return differs(m, q) })
	if q := p; q.stack != 0 {
		if q.stack = 0; differs(m, q) {
			p = q
		}
	}
	all := make([]string, len(s.pieces))
	for i, piece := range s.pieces {
		all[i] = piece.name
	}
	others := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(name string) bool { return slices.Contains(names, name) })
	}
	rest := needed(all, func(rest []string) bool { q := p; q.without = others(rest); return differs(m, q) })
	p.without = others(rest)

	// What never runs keeps its place, since plans count pieces, but not its source.
	smaller := *s
	smaller.pieces = slices.Clone(s.pieces)
	for i, piece := range s.pieces {
		if slices.Contains(p.without, piece.name) {
			smaller.pieces[i].c = ""
			smaller.pieces[i].code = fmt.Sprintf("\nfunc piece%s(*plan) uint64 { return 0 }\n", piece.name[strings.LastIndex(piece.name, "_"):])
		}
	}
	own := newModule(m.t, nil)
	own.env, own.runner = m.env, m.runner
	smaller.write(own)
	own.must("go", "build", "-o", "plain")
	own.must(wherry, "build", "-o", "fast")
	if !differs(own, p) {
		m.t.Logf("with nothing but %q in its source it does not differ", rest)
		own = m
	}
	m.t.Logf("cut down to %q: %s", rest, p)
	s.keep(own, p.String())
}

// needed removes parts as long as what remains fails: halves first, then smaller portions.
func needed(parts []string, fails func(parts []string) bool) []string {
	for size := (len(parts) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(parts); {
			fewer := slices.Concat(parts[:from], parts[min(from+size, len(parts)):])
			if fails(fewer) {
				parts = fewer
			} else {
				from += size
			}
		}
	}
	return parts
}

func TestNeeded(t *testing.T) {
	t.Parallel()
	for _, wanted := range [][]string{{}, {"a"}, {"h"}, {"b", "g"}, {"a", "d", "e", "h"}} {
		tries := 0
		got := needed(strings.Split("abcdefgh", ""), func(parts []string) bool {
			tries++
			return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(parts, w) })
		})
		if !slices.Equal(got, wanted) || tries > 40 {
			t.Errorf("got %q after %d tries, want %q", got, tries, wanted)
		}
	}
}

// The same seed makes the same program, and each piece can be filled in many ways.
func TestProgramSources(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		source, again := newProgramSource(t, seed), newProgramSource(t, seed)
		if !slices.Equal(source.pieces, again.pieces) || source.cflags != again.cflags || source.policy != again.policy {
			t.Fatalf("seed %d makes two programs", seed)
		}
		for _, p := range source.pieces {
			if strings.ContainsAny(p.c+p.code, "@") || !strings.Contains(p.code, "func piece_") {
				t.Errorf("seed %d: %s: a name without its number, or no func piece@", seed, p.name)
			}
		}
	}
}
