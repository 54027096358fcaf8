package accel

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Where a function returns what is allocated unless it is inlined, there is room for what
// the compiler's budget leaves beside a call of C; none where other calls may be inlined.
func TestSpareNodes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.cgo1.go")
	text := `package p

type data struct{ c *_Ctype_struct_data; n int }
type handle _Ctype_long

func pointer() *data           { return &data{c: ( /*line :1:1*/_Cfunc_pointer /*line :1:2*/)()} } // 63 nodes
func longer(i int) *data       { return &data{(_Cfunc_longer)(i), i+i+i+i+i} }                    // 72
func toMany(i int) *data       { return &data{(_Cfunc_longer)(i), i+i+i+i+i+i} }                  // 74
func longest(i int) *data      { return &data{(_Cfunc_longest)(i), i+i+i+i+i+i+i+i+i+i+i} }       // 84
func number() int              { return int(handle((_Cfunc_number)())) }
func two() *data               { return &data{(_Cfunc_two)(), (_Cfunc_two)()} }
func by() *data                { return newData((_Cfunc_by)()) }
func generic() *data           { return cast[*data]((_Cfunc_generic)()) }
func other() any               { return p.New((_C2func_other)()) }
func method(d *data) *data     { return d.next((_Cmacro_method)()) }
func big(d *data) *data        { return d.big((_Cfunc_big)()) }
func deferred() *data          { defer println(); return &data{(_Cfunc_deferred)()} }
func checked(d *data) *data {
	return &data{func() *_Ctype_struct_data { _cgo0 := d.c; _cgoCheckPointer(_cgo0, nil); return _Cfunc_checked(_cgo0) }()}
}
func newData(c *_Ctype_struct_data) *data { return &data{c, 1} }
func cast[R, S any](s S) R                { return *(*R)(unsafe.Pointer(&s)) }
func (d *data) next(c *_Ctype_struct_data) *data { return recursive(c) }
func (d *data) big(c *_Ctype_struct_data) *data { f := d; return &data{c, f.n+d.n*d.n+d.n*d.n+d.n*d.n+d.n*d.n+d.n*d.n+d.n*d.n} }
func recursive(c *_Ctype_struct_data) *data { return recursive(c) }
`
	for i := range 60 { // each function is counted once
		text += fmt.Sprintf("func chain%d() *data { chain%d(); return chain%d() }\n", i, i+1, i+1)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"_Cfunc_pointer": 17, "_Cfunc_longer": 6, "_Cfunc_by": 0, "_Cfunc_generic": 0, "_C2func_other": 0,
		"_Cmacro_method": 0}
	if got := spareNodes(cgoFiles([]string{"-o", path, "plain.go"})); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A function counts for as many nodes as the compiler says (-m=2), or a few more.
func TestSurplus(t *testing.T) {
	pointer := part{Value: value{Size: 8, Pointer: true}, Path: "p0"}
	number, result := part{Value: value{Size: 4}, Path: "p1"}, part{Value: value{Size: 8}, Path: "r1"}
	for _, test := range []struct {
		sig  signature
		want int
	}{
		{signature{}, 3},
		{signature{Results: []part{result}}, 5},
		{signature{Params: []part{number, number}, Results: []part{result}}, 7},
		{signature{Params: []part{pointer}, Results: []part{result}}, 12},
		{signature{Params: []part{pointer, number, pointer}, Results: []part{result}}, 18},
		{signature{Results: []part{result}, Errno: true}, 18},
		{signature{Params: []part{{Path: "p0.at[1]"}}}, 6},
	} {
		if got := test.sig.surplus(); got != test.want {
			t.Errorf("%+v: got %d, want %d", test.sig, got, test.want)
		}
	}
}
