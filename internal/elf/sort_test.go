package elf

import (
	"cmp"
	"math/rand"
	"slices"
	"testing"
)

// TestSort compares with the plain way to sort, for symbols of few addresses
// and names, so that many are alike.
func TestSort(t *testing.T) {
	for round := range 200 {
		list := make([]Symbol, round)
		for i := range list {
			list[i] = Symbol{Addr: uint64(rand.Intn(8)), Name: string(rune('a' + rand.Intn(3))), Global: rand.Intn(2) == 0, Weak: rand.Intn(2) == 0, Size: uint64(i)}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b Symbol) int { return cmp.Or(compare(a.Addr, b.Addr), better(&a, &b)) })
		if got := byAddress(list, func(s *Symbol) uint64 { return s.Addr }, better); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// TestFindAll finds each of several definitions of a name.
func TestFindAll(t *testing.T) {
	m := &Image{Symbols: []Symbol{
		{Name: "f", Version: "V2", Addr: 3, Global: true}, {Name: "g", Addr: 5, Global: true},
		{Name: "f", Version: "V1", Addr: 1, Global: true, Hidden: true}, {Name: "f", Addr: 7}, {Name: "w", Addr: 8, Global: true, Weak: true}, {Name: "w", Addr: 9, Global: true},
	}}
	m.finish()
	for _, c := range []struct {
		name, version string
		addr          uint64
	}{{"f", "", 3}, {"f", "V1", 1}, {"f", "V2", 3}, {"g", "", 5}, {"w", "", 9}, {"h", "", 0}, {"", "", 0}} {
		if s := m.Find(c.name, c.version); s == nil && c.addr != 0 || s != nil && s.Addr != c.addr {
			t.Errorf("%s %s: got %v, want address %d", c.name, c.version, s, c.addr)
		}
	}
}
