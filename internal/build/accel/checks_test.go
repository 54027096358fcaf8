package accel

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// A check belongs to the call that it stands before, and counts for each place that calls.
func TestPointerChecksCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.cgo1.go")
	if err := os.WriteFile(path, []byte(`package p

func a(p *_Ctype_char, n _Ctype_int) {
	(_Cfunc_none)(n)
	func() _Ctype_int { _cgo0 := p; _cgo1 := p; _cgoCheckPointer(_cgo0, nil); _cgoCheckPointer(_cgo1, nil); return _Cfunc_two(_cgo0, _cgo1) }()
	func() {
		_cgo0 := func() *_Ctype_char { _cgo0 := p; _cgoCheckPointer(_cgo0, nil); return _Cfunc_inner(_cgo0) }()
		_cgoCheckPointer(_cgo0, nil); _Cfunc_outer(_cgo0, (_Ctype_int)(n))
	}()
}

func b(p *_Ctype_char) (_Ctype_int, error) {
	(_Cfunc_two)(nil, nil)
	func() { _cgo0 := (_Cfunc_begin)(); _cgoCheckPointer(_cgo0, nil); _Cfunc_end(_cgo0) }()
	return func() (_Ctype_int, error) { _cgo0 := p; _cgoCheckPointer(_cgo0, nil); return _C2func_outer(_cgo0) }()
}
`), 0o666); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"two": 1, "inner": 1, "outer": 1, "end": 1}
	if got := pointerChecks(cgoFiles([]string{"-o", path, "plain.go"})); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
