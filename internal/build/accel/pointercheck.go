package accel

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	"github.com/wherrygo/wherry/internal/goruntime"
)

// kindMask cuts the kind out of abi.Type.Kind_; up to Go 1.25 a flag stands above it
// (internal/abi.KindMask).
const kindMask = 1<<5 - 1

// A pointerCheck is what pointercheck.go.tpl is about.
type pointerCheck struct {
	At     goruntime.Offsets
	Symbol string
	Plain  []string // types of what needs no check
}

// FirstArena is where the heap's addresses begin.
func (c pointerCheck) FirstArena() uintptr { return uintptr(c.At["ARENA_BASE"]) }

// KindMask and the kinds are those of abi.Type.Kind_.
func (c pointerCheck) KindMask() int       { return kindMask }
func (c pointerCheck) Bool() uint          { return uint(reflect.Bool) }
func (c pointerCheck) Array() uint         { return uint(reflect.Array) }
func (c pointerCheck) Pointer() uint       { return uint(reflect.Pointer) }
func (c pointerCheck) Slice() uint         { return uint(reflect.Slice) }
func (c pointerCheck) UnsafePointer() uint { return uint(reflect.UnsafePointer) }

// plain returns Go's types without pointers, and C's that are one of them.
func (g *gotypes) plain() (names []string) {
	for _, name := range types.Universe.Names() {
		basic, _ := types.Universe.Lookup(name).Type().(*types.Basic)
		if basic != nil && basic.Info()&(types.IsBoolean|types.IsNumeric) != 0 && basic.Info()&types.IsUntyped == 0 &&
			name != "byte" && name != "rune" && !g.own[name] { // those two are others' names
			names = append(names, name)
		}
	}
	for t := range declaredTypes(g.file) {
		name, ok := t.Type.(*ast.Ident)
		if ok && !t.Assign.IsValid() && slices.Contains(names, name.Name) {
			names = append(names, t.Name.Name)
		}
	}
	return names
}

// pointerCheck returns the edits that put wherry's check of pointers before the
// runtime's: a function that looks first takes the place of cgo's declaration.
// Nil if cgo wrote none that is known.
func (g *gotypes) pointerCheck(check pointerCheck) []edit {
	for _, decl := range g.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != "_cgoCheckPointer" {
			continue
		}
		if f.Doc == nil || f.Body != nil || g.source(f.Type) != "func _cgoCheckPointer(interface{}, interface{})" {
			return nil
		}
		start, _ := g.span(f.Doc)
		_, end := g.span(f)
		return []edit{{start, end, write("pointer check", check)}}
	}
	return nil
}
