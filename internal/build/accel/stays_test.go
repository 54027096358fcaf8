package accel

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// Each part of the rule about arguments that stay on the goroutine's stack, alone: what of
// the types, the alignments, the result and the code makes which parameters escape.
func TestEscaping(t *testing.T) {
	const types = `package p
import "unsafe"
import _cgopackage "runtime/cgo"
type _Ctype_int int32
type _Ctype_long int64
type _Ctype_float float32
type _Ctype_double float64
type _Ctype__Bool bool
type _Ctype_void [0]byte
type _Ctype_point struct { x, y _Ctype_double; _ [4]byte }
type _Ctype_numbers struct { a [3]_Ctype_point; c complex128 }
type _Ctype_info struct { n _Ctype_int; h unsafe.Pointer }
type _Ctype_infos [2]_Ctype_info
type _Ctype_open struct { _ _cgopackage.Incomplete }
type _Ctype_empty struct {}
type _Ctype_handle = *_Ctype_point
type _Ctype_byvalue struct { p *_Ctype_int }
type _Ctype_union [8]byte
type _Ctype_small [4]byte
type _Ctype_floats struct { a _Ctype_float; b _Ctype_float }
type _Ctype_ints struct { a _Ctype_int; b _Ctype_int }
type _Ctype_mine struct { n int16 }
`
	apart := facts{read: true, apart: true}
	meets := facts{read: true, meets: "waits"}
	plain := "p0 *_Ctype_point, n _Ctype_int, p2 *_Ctype_int"
	const known, pointers, unknown, room = "aligns", "has pointers", "is not known", "room for an address"
	for _, test := range []struct {
		params, result string
		aligned        []byte
		code           facts
		escape, why    string
	}{
		{plain, "", []byte{8, 0, 4}, apart, "", ""},
		{plain, "", []byte{16, 0, 4}, apart, "p0", known},
		{plain, "", []byte{8, 0, 32}, apart, "p2", known},
		{plain, "", nil, apart, "p0 p2", unknown},
		{plain, "", []byte{1, 0, 0}, apart, "p2", unknown},
		{"p0 *_Ctype_numbers, p1 *[2]_Ctype_int, p2 _Ctype_handle", "", []byte{8, 8, 8}, apart, "", ""},
		{"p0 *_Ctype_info, p1 *_Ctype_infos, p2 **_Ctype_int, p3 *unsafe.Pointer, p4 *_Ctype_int", "", []byte{8, 8, 8, 8, 4}, apart,
			"p0 p1 p2 p3", pointers},
		{"p0 unsafe.Pointer, p1 *_Ctype_void, p2 *[0]byte, p3 *_Ctype_empty, p4 _Ctype_byvalue", "", []byte{8, 8, 8, 8, 8}, apart,
			"p0 p1 p2 p3 p4", unknown},
		{"p0 *[0]byte", "", nil, apart, "p0", ""}, // a function: nothing is allocated
		{"p0 *_Ctype_union", "", []byte{8}, apart, "p0", pointers},
		{"p0 *_Ctype_open", "", []byte{8}, apart, "p0", pointers},
		{"p0 *_Ctype_mine", "", []byte{8}, apart, "p0", pointers}, // int16 is the package's own type
		{"p0 uintptr, p1 _Ctype_point", "", nil, apart, "", ""},

		{"p0 *_Ctype_int", "_Ctype_void", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype_int", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype__Bool", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype_double", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype_floats", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype_small", []byte{4}, apart, "", ""},
		{"p0 *_Ctype_int", "_Ctype_long", []byte{4}, apart, "p0", room},
		{"p0 *_Ctype_int", "_Ctype_ints", []byte{4}, apart, "p0", room},
		{"p0 *_Ctype_int", "_Ctype_union", []byte{4}, apart, "p0", room},
		{"p0 *_Ctype_int", "*_Ctype_int", []byte{4}, apart, "p0", room},
		{"p0 *_Ctype_int", "_Ctype_info", []byte{4}, apart, "p0", room},
		{"p0 *_Ctype_int", "_Ctype_point", []byte{4}, apart, "p0", room}, // with a field that is hidden

		{plain, "", []byte{8, 0, 4}, meets, "p0 p2", "its code waits"},
		{plain, "", []byte{8, 0, 4}, facts{}, "p0 p2", "its code was not read"},
		{plain, "", []byte{8, 0, 4}, facts{read: true, apart: true, strict: true}, "p0 p2", "its code demands more alignment"},
		{plain, "", []byte{16, 0, 4}, meets, "p0 p2", known}, // its code comes last
	} {
		g := parseText(t, types+fmt.Sprintf("func _Cfunc_f(%s) (r1 %s) {\n\t_cgo_runtime_cgocall(x, 0)\n\treturn\n}\n", test.params,
			cmp.Or(test.result, "_Ctype_void")))
		g.own = map[string]bool{"int16": true}
		f := g.functions[0]
		d, code := &decision{Function: Function{Mode: policy.Fast}}, test.code
		code.alignments = test.aligned
		escape, why := g.escaping(f, d, code, false)
		got := strings.Join(slices.Sorted(maps.Keys(escape)), " ")
		if got != test.escape || !strings.Contains(why, test.why) || why == "" != (test.why == "") {
			t.Errorf("(%s) %s aligned %v, %+v: got %q, %q; want %q, %q", test.params, test.result, test.aligned, test.code, got, why,
				test.escape, test.why)
		}
	}
}

// Of what was not read nothing is assumed, nor of what the callers do not show, and a
// rule's word is taken.
func TestEscapingByRule(t *testing.T) {
	g := parseText(t, "package p\nfunc _Cfunc_f(p0 *int32) (r1 *int32) {\n\t_cgo_runtime_cgocall(x, 0)\n\treturn\n}\n"+
		"func _Cfunc_g(p0 *int32) {\n\t_cgo_runtime_cgocall(x, 0)\n\treturn\n}\n"+
		"func _Cfunc_h(p0 *int32) {\n\t_cgo_runtime_cgocall(x, 0)\n\treturn\n}\nfunc calls(p *int32) { _Cfunc_h(p) }\n")
	unread, clean := unread(errors.New("no file")), facts{apart: true}
	unread.alignments, clean.alignments = []byte{4}, []byte{4}
	for _, test := range []struct {
		f        *function
		mode     policy.Mode
		code     facts
		userWord bool
		why      string
	}{
		{g.functions[1], policy.Fast, clean, false, ""},
		{g.functions[1], policy.Fast, unread, false, "its code was not read"},
		{g.functions[1], policy.Reentrant, clean, false, "a rule says that it calls back"},
		{g.functions[0], policy.Fast, clean, false, "room for an address"},
		{g.functions[0], policy.Fast, unread, true, ""},
		{g.functions[2], policy.Fast, clean, false, "does not show what variable"},
		{g.functions[2], policy.Fast, unread, false, "does not show what variable"}, // its code comes last
		{g.functions[2], policy.Fast, unread, true, ""},
	} {
		escape, why := g.escaping(test.f, &decision{Function: Function{Mode: test.mode}}, test.code, test.userWord)
		if !strings.Contains(why, test.why) || why == "" != (test.why == "") || escape["p0"] != (test.why != "") {
			t.Errorf("%s %v: got %v, %q; want %q", test.f.name, test.mode, escape, why, test.why)
		}
	}
}
