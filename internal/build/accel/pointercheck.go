package accel

import (
	_ "embed"
	"fmt"
	"go/ast"
	"reflect"
	"strings"
	"text/template"

	"github.com/wherrygo/wherry/internal/crossing/rt"
)

//go:embed pointercheck.go.tpl
var pointerCheckText string

var pointerCheckTemplate = template.Must(template.New("pointercheck").Funcs(template.FuncMap{
	// word is the word at an address, byte the byte there. The package may have a type
	// byte of its own, so a byte is cut out of the aligned word that it is in.
	"word": func(address ...any) string { return word(address...) },
	"byte": func(address string, offset int64) string {
		return fmt.Sprintf("(%s >> %d & 255)", word(address, offset&^7), 8*(offset&7))
	},
}).Parse(pointerCheckText))

func word(address ...any) string {
	var terms []string
	for _, term := range address {
		terms = append(terms, fmt.Sprint(term))
	}
	return fmt.Sprintf("*(*uintptr)(unsafe.Pointer(uintptr(%s)))", strings.Join(terms, " + "))
}

// kindMask cuts the kind out of abi.Type.Kind_; up to Go 1.25 a flag stands above it
// (internal/abi.KindMask).
const kindMask = 1<<5 - 1

// pointerCheck returns the edits that put wherry's check of pointers before the
// runtime's: a function that looks first takes the place of cgo's declaration.
// Nil if cgo wrote none that is known.
func (g *gotypes) pointerCheck(symbol string, heap rt.Heap) ([]edit, error) {
	for _, decl := range g.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Name.Name != "_cgoCheckPointer" {
			continue
		}
		if f.Doc == nil || f.Body != nil || g.source(f.Type) != "func _cgoCheckPointer(interface{}, interface{})" {
			return nil, nil
		}
		var text strings.Builder
		err := pointerCheckTemplate.Execute(&text, struct {
			rt.Heap
			Symbol                                     string
			FirstArena                                 uintptr
			Bool, Array, Pointer, Slice, UnsafePointer uint
			KindMask                                   int
		}{heap, symbol, uintptr(heap.ArenaBase), uint(reflect.Bool), uint(reflect.Array), uint(reflect.Pointer), uint(reflect.Slice), uint(reflect.UnsafePointer), kindMask})
		if err != nil {
			return nil, fmt.Errorf("accel: %w", err)
		}
		start, _ := g.span(f.Doc)
		_, end := g.span(f)
		return []edit{{start, end, text.String()}}, nil
	}
	return nil, nil
}
