package latency

import "testing"

// Small values, so that no sum overflows however long a benchmark runs.
const mask = 0xffff

func TestResults(t *testing.T) {
	if got := add(20, 22); got != 42 {
		t.Errorf("add(20, 22) = %d", got)
	}
	if got := answer(); got != 42 {
		t.Errorf("answer() = %d", got)
	}
	if got := scale(1.5, -2); got != -3 {
		t.Errorf("scale(1.5, -2) = %g", got)
	}
	if got := sum6(1, 20, 300, 4000, 50000, 600000); got != 654321 {
		t.Errorf("sum6 = %d", got)
	}
	if got := fill(); got != 42 {
		t.Errorf("fill() = %d", got)
	}
	if got := mirror(point{1, -2}); got != (point{-2, 1}) {
		t.Errorf("mirror({1 -2}) = %v", got)
	}
	for _, s := range []string{"", "wherry", "grüße"} {
		if got := echo(s); got != s {
			t.Errorf("echo(%q) = %q", s, got)
		}
	}
	if got := borrow(7); got != 7 {
		t.Errorf("borrow(7) = %d", got)
	}
}

func BenchmarkAdd(b *testing.B) {
	b.ReportAllocs()
	sum := int32(0)
	for range b.N {
		sum = add(sum, 1) & mask
	}
	if want := int32(b.N & mask); sum != want {
		b.Fatalf("%d times add(sum, 1): got %d, want %d", b.N, sum, want)
	}
}

func BenchmarkNoArguments(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if got := answer(); got != 42 {
			b.Fatalf("answer() = %d", got)
		}
	}
}

func BenchmarkDoubles(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		v := float64(i & mask)
		if got := scale(v, 2); got != v*2 {
			b.Fatalf("scale(%g, 2) = %g", v, got)
		}
	}
}

func BenchmarkSixArguments(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		v := int32(i & mask)
		if got := sum6(v, 1, 2, 3, 4, 5); got != v+15 {
			b.Fatalf("sum6(%d, 1, 2, 3, 4, 5) = %d", v, got)
		}
	}
}

func BenchmarkStruct(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		p := point{int32(i & mask), 1}
		if got := mirror(p); got != (point{p.y, p.x}) {
			b.Fatalf("mirror(%v) = %v", p, got)
		}
	}
}

// BenchmarkLocalPointer shows the allocation: 1 per call through cgo.
func BenchmarkLocalPointer(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if got := fill(); got != 42 {
			b.Fatalf("fill() = %d", got)
		}
	}
}

func BenchmarkCString(b *testing.B) {
	b.ReportAllocs()
	const s = "a wherry carries people across the river"
	for range b.N {
		if got := echo(s); got != s {
			b.Fatalf("echo(%q) = %q", s, got)
		}
	}
}

func BenchmarkMalloc(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		if got := borrow(byte(i)); got != byte(i) {
			b.Fatalf("borrow(%d) = %d", byte(i), got)
		}
	}
}
