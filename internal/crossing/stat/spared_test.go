package stat

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

const sparing = `package p

import "C"

func declared() {
	var a, b C.int
	C.one(&a)
	C.two(&a, &b)
}

func inside() { C.one(&C.int{}) }

func assigned() {
	p := new(C.int)
	C.two(p, nil)
	C.three(nil)
}

func loop() {
	var once C.int
	for range 10 {
		C.one(&once)
		each := C.int(1)
		C.three(&each)
	}
}

func unrelated() {
	x := new(int)
	use(x)
	C.three(nil)
}
`

// Allocations belong to the calls that they are made for, and count for each place that
// calls.
func TestSpared(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.go")
	if err := os.WriteFile(path, []byte(sparing), 0o666); err != nil {
		t.Fatal(err)
	}
	output := `# p
./p.go:6:6: moved to heap: a
./p.go:6:9: moved to heap: b
./p.go:11:26: &_Ctype_int{} escapes to heap
./p.go:14:10: new(_Ctype_int) escapes to heap
./p.go:20:6: moved to heap: once
./p.go:23:3: moved to heap: each
./p.go:29:10: new(int) escapes to heap
./p.go:7:8: can inline f
./p.go:30:5: x does not escape
`
	gone := Allocations(output, dir)
	if !gone[Allocation{path, 14, 10}] || len(gone) != 7 {
		t.Errorf("got %v, want the 7 allocations of %s", gone, path)
	}
	want := map[string]float64{
		"one":   (0.5 + 1) / 3,     // half of a, and &C.int{}; once serves ten calls
		"two":   (0.5 + 1 + 1) / 2, // half of a, b; p
		"three": 1.0 / 3,           // each
	}
	if got := Spared([]string{path, filepath.Join(dir, "none.go")}, gone); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
