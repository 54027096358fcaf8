package check

import "testing"

// BenchmarkPackage judges a small package as a build does.
func BenchmarkPackage(b *testing.B) {
	object := compile(b, "gcc", "double sin(double); int f(int x) { return x + 1; } double g(double x) { return sin(x) + 1; }", "-O2")
	for b.Loop() {
		p, err := OpenObjects([]string{object}, Options{Libraries: []string{"libm.so.6"}})
		if err != nil {
			b.Fatal(err)
		}
		if r := p.CheckLinked("f", "g"); r[0].Verdict != Safe || r[1].Verdict != Safe {
			b.Fatal(r)
		}
	}
}

// BenchmarkLibrary judges all functions of a small library, with the C library
// that it needs.
func BenchmarkLibrary(b *testing.B) {
	for b.Loop() {
		p, err := Open("/lib/x86_64-linux-gnu/libz.so.1", Options{})
		if err != nil {
			b.Skip(err)
		}
		if _, err := p.Check(p.Functions()...); err != nil {
			b.Fatal(err)
		}
	}
}
