//go:build linux && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package self

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"unsafe"
)

// typelinks returns the types that reflection can form, sorted by their string.
// The runtime allocates g and m by type, so *runtime.g and *runtime.m are
// among them. reflect keeps this name for packages outside.
//
//go:linkname typelinks reflect.typelinks
func typelinks() (sections []unsafe.Pointer, offset [][]int32)

// getg is in g_ARCH.s: the goroutine and its stack pointer.
func getg() (goroutine, stack uintptr)

func load() error {
	g, m, err := types()
	if err == nil {
		err = versioned.verify(g, m)
	}
	if err == nil {
		err = versioned.live()
	}
	return err
}

// offsets are those that depend on Go's version.
type offsets struct{ vdsoSP, throwSplit uintptr }

var versioned = offsets{MVdsoSP, GThrowSplit}

// verify compares the constants with the types g and m.
func (o offsets) verify(g, m reflect.Type) error {
	for _, w := range []struct {
		t      reflect.Type
		path   []string
		size   uintptr
		offset uintptr
	}{
		{g, []string{"stack", "lo"}, 8, 0},
		{g, []string{"stack", "hi"}, 8, 8},
		{g, []string{"stackguard0"}, 8, GStackGuard0},
		{g, []string{"m"}, 8, GM},
		{g, []string{"sched", "sp"}, 8, GSchedSP},
		{g, []string{"throwsplit"}, 1, o.throwSplit},
		{m, []string{"g0"}, 8, MG0},
		{m, []string{"vdsoSP"}, 8, o.vdsoSP},
		{m, []string{"vdsoPC"}, 8, o.vdsoSP + 8},
	} {
		offset, err := find(w.t, w.path, w.size)
		if err == nil && offset != w.offset {
			err = fmt.Errorf("%v.%v at offset %d, want %d", w.t, w.path, offset, w.offset)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func types() (g, m reflect.Type, err error) {
	sections, links := typelinks()
	if len(sections) != len(links) {
		return nil, nil, errors.New("reflect.typelinks has changed")
	}
	one := func(name string) reflect.Type {
		for i, section := range sections {
			at := func(j int) reflect.Type {
				// The words of an interface: type and value.
				pair := [2]unsafe.Pointer{unsafe.Add(section, links[i][j]), nil}
				return reflect.TypeOf(*(*any)(unsafe.Pointer(&pair)))
			}
			n := len(links[i])
			for j := sort.Search(n, func(j int) bool { return at(j).String() >= name }); j < n && at(j).String() == name; j++ {
				if t := at(j); t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "runtime" && t.Elem().Kind() == reflect.Struct {
					return t.Elem()
				}
			}
		}
		return nil
	}
	if g, m = one("*runtime.g"), one("*runtime.m"); g == nil || m == nil {
		return nil, nil, errors.New("the program has no type runtime.g or runtime.m")
	}
	return g, m, nil
}

func find(t reflect.Type, path []string, size uintptr) (uintptr, error) {
	offset := uintptr(0)
	for _, name := range path {
		if t.Kind() != reflect.Struct {
			return 0, fmt.Errorf("%v is no struct", t)
		}
		field, ok := t.FieldByName(name)
		if !ok {
			return 0, fmt.Errorf("%v has no field %s", t, name)
		}
		offset, t = offset+field.Offset, field.Type
	}
	if t.Size() != size {
		return 0, fmt.Errorf("%v has %d bytes, want %d", path, t.Size(), size)
	}
	return offset, nil
}

// live compares the offsets with the running thread.
func (o offsets) live() error {
	runtime.LockOSThread() // m must be this thread's throughout
	defer runtime.UnlockOSThread()
	g, sp := getg()
	word := func(at uintptr) uintptr { return **(**uintptr)(unsafe.Pointer(&at)) }
	m := word(g + GM)
	g0 := word(m + MG0)
	switch {
	case sp <= word(g) || sp > word(g+8):
		return errors.New("g.stack does not hold the stack pointer")
	case word(g0+GM) != m:
		return errors.New("m.g0.m is not m")
	case word(g0+GSchedSP) <= word(g0) || word(g0+GSchedSP) > word(g0+8):
		return errors.New("g0.sched.sp is outside of g0.stack")
	case word(m+o.vdsoSP) != 0:
		return errors.New("m.vdsoSP is set outside of a vDSO call")
	case *(*byte)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&g)), o.throwSplit)) != 0:
		return errors.New("g.throwsplit is set in a goroutine")
	}
	if os.Getenv("WHERRY_SLOW") != "" {
		return errors.New("WHERRY_SLOW is set")
	}
	return nil
}
