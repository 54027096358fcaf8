//go:build linux && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package running

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"strings"
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

func verify() error {
	g, m, err := types()
	if err == nil {
		err = fields.verify(g, m)
	}
	if err == nil {
		err = fields.live()
	}
	return err
}

// verify compares the constants with the types g and m.
func (o offsets) verify(g, m reflect.Type) error {
	types := map[string]reflect.Type{"g": g, "m": m}
	if f, ok := g.FieldByName("_defer"); ok && f.Type.Kind() == reflect.Pointer {
		types["_defer"] = f.Type.Elem()
	}
	for _, f := range o {
		path := strings.Split(f.path, ".")
		offset, size, err := find(types[path[0]], path[1:])
		if err == nil && (offset != f.offset || size != f.size) {
			err = fmt.Errorf("%s has %d bytes at offset %d, want %d at %d", f.path, size, offset, f.size, f.offset)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// at returns the offset of a field.
func (o offsets) at(path string) uintptr {
	for _, f := range o {
		if f.path == path {
			return f.offset
		}
	}
	panic("running: BUG: runtime.list has no " + path)
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

func find(t reflect.Type, path []string) (offset, size uintptr, err error) {
	for _, name := range path {
		if t == nil || t.Kind() != reflect.Struct {
			return 0, 0, fmt.Errorf("%v is no struct", t)
		}
		field, ok := t.FieldByName(name)
		if !ok {
			return 0, 0, fmt.Errorf("%v has no field %s", t, name)
		}
		offset, t = offset+field.Offset, field.Type
	}
	return offset, t.Size(), nil
}

// live compares the offsets with the running thread.
func (o offsets) live() error {
	runtime.LockOSThread() // m must be this thread's throughout
	defer runtime.UnlockOSThread()
	g, sp := getg()
	word := func(at uintptr) uintptr { return **(**uintptr)(unsafe.Pointer(&at)) }
	m := word(g + G_M)
	g0 := word(m + M_G0)
	switch {
	case sp <= word(g) || sp > word(g+8):
		return errors.New("g.stack does not hold the stack pointer")
	case word(g0+G_M) != m:
		return errors.New("m.g0.m is not m")
	case word(g0+G_SCHED_SP) <= word(g0) || word(g0+G_SCHED_SP) > word(g0+8):
		return errors.New("g0.sched.sp is outside of g0.stack")
	case word(m+o.at("m.vdsoSP")) != 0:
		return errors.New("m.vdsoSP is set outside of a vDSO call")
	case *(*byte)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&g)), o.at("g.throwsplit"))) != 0:
		return errors.New("g.throwsplit is set in a goroutine")
	}
	if os.Getenv("WHERRY_SLOW") != "" {
		return errors.New("WHERRY_SLOW is set")
	}
	return nil
}
