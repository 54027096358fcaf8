package accel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What cgo wrote of a package with structs, a union, a vector and typedefs of arrays.
const ctypes = `package p
import (
	"unsafe"
	_cgopackage "runtime/cgo"
)
type _ _cgopackage.Incomplete
type _Ctype_char int8
type _Ctype_int int32
type _Ctype_long int64
type _Ctype_float float32
type _Ctype_base struct { kind _Ctype_int }
type _Ctype_derived struct { base _Ctype_base; handle unsafe.Pointer }
type _Ctype_aligned struct { base _Ctype_base; _ [12]byte; v [4]_Ctype_float }
type _Ctype_bits struct { c _Ctype_char; _ [7]byte }
type _Ctype_variant struct { kind _Ctype_int; _ [4]byte; of [24]byte }
type _Ctype_union [8]byte
type _Ctype_four [4]_Ctype_float
type _Ctype_key = [32]_Ctype_char
func _Cfunc_b(n _Ctype_int, p1 *_Ctype_base) (r1 _Ctype_int)
func _C2func_b(n _Ctype_int, p1 *_Ctype_base) (r1 _Ctype_int, r2 error)
func _Cfunc_c(p0 *_Ctype_char)
func _Cfunc_i(p0 *_Ctype_int)
func _Cfunc_l(p0 *_Ctype_long)
func _Cfunc_p(p0 *_Ctype_bits)
func _Cfunc_made() (r1 *_Ctype_base)
func _Cfunc__CMalloc(n _Ctype_long) (r1 unsafe.Pointer)
`

// The package's own declarations.
const ownText = `package p
import (
	"unsafe"
	"example.com/others"
	. "example.com/dotted"
)
type (
	numbers struct { b _Ctype_base; n [3]float64 }
	owner struct { b _Ctype_base; name string }
	renamed _Ctype_derived
	renamedAligned _Ctype_aligned
	renamedFour _Ctype_four
	embedding struct { others.Base; numbers }
	pointing struct { *numbers; c *_Ctype_char }
	list []_Ctype_base
)
func (l *list) more() {}
func (n *numbers) start() { n.n[0] = 1 }
var (
	global _Ctype_derived
	globalPointer *_Ctype_base
)
func shared() *_Ctype_base { return nil }
func generic[T any](p *T) *_Ctype_base { return (*_Ctype_base)(unsafe.Pointer(p)) }
`

// Each way in which a call gets its argument, and whether it shows a variable that may be
// on the goroutine's stack.
func TestHides(t *testing.T) {
	const shown, unknown, part = "", "does not show", "passes a part"
	for _, test := range []struct{ body, want string }{
		{"var b _Ctype_base; _Cfunc_b(1, &b)", shown},
		{"var b _Ctype_base; (_Cfunc_b)(1, (&(b)))", shown},
		{"b := new(_Ctype_base); _Cfunc_b(1, b)", shown},
		{"b := &_Ctype_base{kind: 1}; c := b; _Cfunc_b(1, c)", shown},
		{"var b *_Ctype_base; for i := range 2 { var x _Ctype_base; b = &x; _ = i }; _Cfunc_b(1, b)", shown},
		{"_Cfunc_b(1, nil); _Cfunc_b(1, (*_Ctype_base)(nil)); _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(nil)))", shown},
		{"_Cfunc_b(1, _Cfunc_made()); _Cfunc_b(1, (*_Ctype_base)(_Cfunc__CMalloc(4)))", shown},
		{"_Cfunc_b(1, &global.base); _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(&global)))", shown}, // on no stack
		{"func() int { _cgoBase0 := &global.base; _cgo0 := _cgoBase0; return _Cfunc_b(1, _cgo0) }()", shown},
		{"var n numbers; n.start(); _Cfunc_b(1, &n.b)", shown},
		{"n := &numbers{}; _Cfunc_b(1, &n.b)", shown},
		{"var a [4]_Ctype_base; s := a[1:]; s = append(s[:1], _Ctype_base{}); _Cfunc_b(1, &s[2]); _Cfunc_b(1, &a[0])", shown},
		{"s := make([]_Ctype_base, 3); p := &s[1]; _Cfunc_b(1, p); _Cfunc_b(1, &[]_Ctype_base{{}}[0])", shown},
		{"var b [64]byte; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&b[0])))", shown},
		{"var b [12]byte; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&b)))", shown}, // only padding looks so
		{"var b [64]byte; _Cfunc_c((*_Ctype_char)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b[:])), 1)))", shown},
		{"b := []byte(\"text\"); _Cfunc_c(unsafe.SliceData(unsafe.Slice((*_Ctype_char)(unsafe.Pointer(&b[0])), 2)))", shown},
		{"var n [3]int64; _Cfunc_l((*_Ctype_long)(&n[1]))", shown},
		{"var b _Ctype_base; _C2func_b(1, &b)", shown},

		{"var b [256]byte; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&b)))", shown},
		{"n := int(global.base.kind); b := make([]_Ctype_char, n); _Cfunc_c(&b[0])", shown}, // on no stack

		{"var b [257]byte; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&b)))", part},
		{"b := make([]_Ctype_char, 257); _Cfunc_c(&b[0])", part},
		{"b := make([]_Ctype_char, 1, 257); _Cfunc_c(&b[0])", part},
		{"n := 257; m := n; b := make([]_Ctype_char, m); _Cfunc_c(&b[0])", part},
		{"const many = 1 << 10; n := 1; b := make([]_Ctype_char, n, many); _Cfunc_c(&b[0])", part},
		{"b := []_Ctype_char{1 << 20: 1}; _Cfunc_c(&b[0])", part},
		{"l := [][65]int32{{}}; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&l[0])))", part},
		{"var d _Ctype_derived; _Cfunc_b(1, &d.base)", part},
		{"var d _Ctype_derived; _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(&d)))", part},
		{"var d _Ctype_derived; _C2func_b(1, &d.base)", part},
		{"var d [2]_Ctype_derived; s := d[:]; _Cfunc_b(1, &s[0].base)", part},
		{"d := new(renamed); p := &d.base; _Cfunc_b(1, p)", part},
		{"var o owner; _Cfunc_b(1, &o.b)", part},
		{"var e embedding; _Cfunc_b(1, &e.b)", part},
		{"s := append([]_Ctype_derived(nil), _Ctype_derived{}); _Cfunc_b(1, &s[0].base)", part},
		{"var a _Ctype_aligned; _Cfunc_b(1, &a.base)", part},
		{"var a struct { n int; r renamedAligned }; _Cfunc_b(1, &a.r.base)", part},
		{"var f _Ctype_four; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&f)))", part},
		{"var f renamedFour; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&f)))", part},
		{"var f [4]_Ctype_float; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&f)))", part}, // as a vector is
		{"var u _Ctype_union; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&u)))", part},
		{"var k _Ctype_key; _Cfunc_i((*_Ctype_int)(unsafe.Pointer(&k)))", part},
		{"var v _Ctype_variant; u := v.of; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&u)))", part},
		{"var b [16]byte; _Cfunc_l((*_Ctype_long)(unsafe.Pointer(&b)))", part},
		{"var b _Ctype_bits; _Cfunc_p(&b)", part}, // C wants 8, Go's type says 1
		{"var p unsafe.Pointer; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&p)))", part},
		{"var s string; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&s)))", part},
		{"var b _Ctype_base; var p *_Ctype_base = &b; if b.kind > 0 { p = &new(_Ctype_derived).base }; _Cfunc_b(1, p)", part},
		{"var x others.T; _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(&x)))", part},
		{"var x [others.N]byte; _Cfunc_c((*_Ctype_char)(unsafe.Pointer(&x)))", part},
		{"var x Dotted; _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(&x)))", part},

		{"func(p *_Ctype_base) { _Cfunc_b(1, p) }(nil)", unknown},
		{"func(p *_Ctype_base) { p = new(_Ctype_base); _Cfunc_b(1, p) }(nil)", unknown},
		{"func(n *numbers) { _Cfunc_b(1, &n.b) }(nil)", unknown},
		{"func(l []_Ctype_base) { _Cfunc_b(1, &l[0]) }(nil)", unknown},
		{"func(l []_Ctype_base) { s := append(l, _Ctype_base{}); _Cfunc_b(1, &s[0]) }(nil)", unknown},
		{"func() (p *_Ctype_base) { _Cfunc_b(1, p); return }()", unknown},
		{"_Cfunc_b(1, shared())", unknown},
		{"_Cfunc_b(1, globalPointer)", unknown},
		{"var d _Ctype_derived; _Cfunc_b(1, generic(&d))", unknown},
		{"var d _Ctype_derived; _Cfunc_b(1, others.As[_Ctype_base](&d))", unknown},
		{"p, ok := others.Base(); _Cfunc_b(1, p); _ = ok", unknown},
		{"var p, _ = others.Base(); _Cfunc_b(1, p)", unknown},
		{"p := new(_Ctype_base); *others.Swap(&(p)) = nil; _Cfunc_b(1, p)", unknown},
		{"l := list{{}}; l.more(); _Cfunc_b(1, &l[0])", unknown},
		{"var p *_Ctype_base; for _, p = range []*_Ctype_base{} { }; _Cfunc_b(1, p)", unknown},
		{"for _, p := range []*_Ctype_base{} { _Cfunc_b(1, p) }", unknown},
		{"p := <-make(chan *_Ctype_base); _Cfunc_b(1, p)", unknown},
		{"select { case p := <-make(chan *_Ctype_base): _Cfunc_b(1, p) }", unknown},
		{"m := map[int]*_Ctype_base{}; _Cfunc_b(1, m[0])", unknown},
		{"var x any = 1; switch p := x.(type) { case *_Ctype_base: _Cfunc_b(1, p) }", unknown},
		{"var x any = 1; p := x.(*_Ctype_base); _Cfunc_b(1, p)", unknown},
		{"var p pointing; _Cfunc_b(1, &p.b)", unknown},
		{"var p pointing; _Cfunc_c(p.c)", unknown},
		{"var b [2]_Ctype_base; _Cfunc_b(1, (*_Ctype_base)(unsafe.Pointer(uintptr(unsafe.Pointer(&b))+4)))", unknown},
		{"_Cfunc_c((*_Ctype_char)(unsafe.Pointer(unsafe.StringData(\"text\"))))", unknown},
		{"_Cfunc_b(others.Both())", unknown},

		{"f := _Cfunc_b; f(1, &global.base)", "not all its calls"},
		{"var b _Ctype_base; _Cfunc_b(1, &b) }; func other() { new = 1; :", "not understood"},
	} {
		path := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(path, []byte(ownText+"func f() { "+test.body+" }\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		v := newVariables(parseText(t, ctypes), []string{path, "x/" + gotypesName}, "amd64")
		var got []string
		for _, param := range []struct {
			name         string
			i, alignment int
		}{{"_Cfunc_b", 1, 4}, {"_C2func_b", 1, 4}, {"_Cfunc_c", 0, 1}, {"_Cfunc_i", 0, 4}, {"_Cfunc_l", 0, 8}, {"_Cfunc_p", 0, 8}} {
			if reason := v.hides(param.name, param.i, param.alignment); reason != "" {
				got = append(got, reason)
			}
		}
		if text := strings.Join(got, ", "); !strings.Contains(text, test.want) || text == "" != (test.want == "") {
			t.Errorf("%s: got %q, want %q", test.body, text, test.want)
		}
	}
}
