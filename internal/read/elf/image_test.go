package elf

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// TestSort compares with the plain way to sort, by a key that says what comes
// first, for symbols of few addresses and names, so that many are alike. Lists
// are short too: those may be sorted by address and not by the rest.
func TestSort(t *testing.T) {
	key := func(s *Symbol) string {
		rank := 0 // names that others know come first, and strong before weak
		if !s.Global {
			rank += 2
		}
		if s.Weak {
			rank++
		}
		return fmt.Sprint(s.Addr, rank, s.Name, s.Version)
	}
	flip := func() bool { return rand.Intn(2) == 0 }
	for round := range 1000 {
		list := make([]Symbol, round%100)
		for i := range list {
			list[i] = Symbol{Addr: uint64(rand.Intn(8)), Name: string(rune('a' + rand.Intn(3))), Version: string(rune('1' + rand.Intn(2))),
				Global: flip(), Weak: flip(), Size: uint64(i)}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b Symbol) int { return strings.Compare(key(&a), key(&b)) })
		if slices.SortStableFunc(list, order); !slices.Equal(list, want) {
			t.Fatalf("got %v, want %v", list, want)
		}
	}
}

// TestFindAll finds each of several definitions of a name.
func TestFindAll(t *testing.T) {
	m := &Image{Symbols: []Symbol{
		{Name: "f", Version: "V2", Addr: 3, Global: true}, {Name: "g", Addr: 5, Global: true},
		{Name: "f", Version: "V1", Addr: 1, Global: true, Hidden: true}, {Name: "f", Addr: 7}, {Name: "w", Addr: 8, Global: true, Weak: true},
		{Name: "w", Addr: 9, Global: true},
		{Name: "s", Addr: 10, Global: true}, {Name: "s", Addr: 11, Global: true, Weak: true}, {Name: "t", Addr: 12, Global: true},
		{Name: "t", Addr: 13, Global: true},
	}}
	m.finish()
	for _, c := range []struct {
		name, version string
		addr          uint64
	}{{"f", "", 3}, {"f", "V1", 1}, {"f", "V2", 3}, {"f", "V3", 0}, {"g", "", 5}, {"g", "V1", 5}, {"w", "", 9}, {"s", "", 10}, {"t", "", 12},
		{"h", "", 0}, {"", "", 0}} {
		if s := m.Find(c.name, c.version); s == nil && c.addr != 0 || s != nil && s.Addr != c.addr {
			t.Errorf("%s %s: got %v, want address %d", c.name, c.version, s, c.addr)
		}
	}
}
