package visit

import "testing"

func TestResults(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 1000} {
		if got := visit(n); got != n*(n+1)/2 {
			t.Errorf("visit(%d) = %d", n, got)
		}
	}
	if got := roundTrip(40); got != 42 {
		t.Errorf("roundTrip(40) = %d", got)
	}
}

// No callback allocates: what wherry does for one, it does on stacks.
func TestAllocations(t *testing.T) {
	if got := testing.AllocsPerRun(1000, func() { visit(10); roundTrip(1) }); got != 0 {
		t.Errorf("%g allocations in 11 callbacks, want 0", got)
	}
}

// BenchmarkHundredCallbacks makes one call with 100 callbacks per operation.
func BenchmarkHundredCallbacks(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if got := visit(100); got != 5050 {
			b.Fatalf("visit(100) = %d", got)
		}
	}
}

func BenchmarkOneCallback(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		if got := visit(1); got != 1 {
			b.Fatalf("visit(1) = %d", got)
		}
	}
}

// BenchmarkGoCGoC calls C from the callback.
func BenchmarkGoCGoC(b *testing.B) {
	b.ReportAllocs()
	for i := range b.N {
		n := int32(i & 0xffff)
		if got := roundTrip(n); got != n+2 {
			b.Fatalf("roundTrip(%d) = %d", n, got)
		}
	}
}
