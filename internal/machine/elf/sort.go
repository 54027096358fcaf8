package elf

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/machine/cfi"
)

// better orders symbols of one address: first the names that others know.
func better(a, b *Symbol) int {
	switch {
	case a.Global != b.Global:
		if a.Global {
			return -1
		}
		return 1
	case a.Weak != b.Weak:
		if b.Weak {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version))
}

func sortFrames(frames []cfi.Frame) []cfi.Frame {
	return byAddress(frames, func(f *cfi.Frame) uint64 { return f.Start }, func(a, b *cfi.Frame) int { return compare(a.End, b.End) })
}

// byAddress sorts. It moves the elements, which are large, only once.
func byAddress[T any](list []T, addr func(*T) uint64, order func(a, b *T) int) []T {
	type key struct {
		addr uint64
		i    int32
	}
	keys, sorted := make([]key, len(list)), true
	compareKeys := func(a, b key) int {
		if a.addr != b.addr {
			return compare(a.addr, b.addr)
		}
		return cmp.Or(order(&list[a.i], &list[b.i]), int(a.i)-int(b.i))
	}
	for i := range list {
		keys[i] = key{addr(&list[i]), int32(i)}
		sorted = sorted && (i == 0 || compareKeys(keys[i-1], keys[i]) <= 0)
	}
	if sorted {
		return list
	}
	slices.SortFunc(keys, compareKeys)
	moved := make([]T, len(list))
	for i, k := range keys {
		moved[i] = list[k.i]
	}
	return moved
}

func compare(a, b uint64) int {
	if a < b {
		return -1
	}
	if a > b {
		return 1
	}
	return 0
}
