package h3

import (
	"testing"

	"github.com/uber/h3-go/v4"
)

// TestKnownCell compares with the example of the H3 documentation.
func TestKnownCell(t *testing.T) {
	c, err := h3.LatLngToCell(h3.NewLatLng(37.775938728915946, -122.41795063018799), 9)
	if err != nil || c.String() != "8928308280fffff" {
		t.Errorf("cell = %v, %v", c, err)
	}
}

// TestSamples holds the samples, which the benchmarks take for the truth,
// against what must be true of any cell.
func TestSamples(t *testing.T) {
	for _, s := range load(t) {
		if c, err := h3.LatLngToCell(s.center, res); err != nil || c != s.cell {
			t.Errorf("the center of %v is in %v, %v", s.cell, c, err)
		}
		if c, err := h3.LatLngToCell(s.center, s.cell.Resolution()-1); err != nil || c != s.parent {
			t.Errorf("the parent of %v is %v, %v; want %v", s.cell, c, err, s.parent)
		}
		if !s.cell.IsValid() || (s.cell ^ 1<<62).IsValid() {
			t.Errorf("IsValid is wrong about %v", s.cell)
		}
		if s.base < 0 || s.base >= h3.NumBaseCells || s.base != h3.BaseCellNumber(s.parent) {
			t.Errorf("base cell of %v is %d", s.cell, s.base)
		}
		if s.km > 0.3 {
			t.Errorf("%v is %g km from the center of its cell", s.point, s.km)
		}
		if s.corner < 5 || s.disk < 6 {
			t.Errorf("%v has %d corners and a disk of %d cells", s.cell, s.corner, s.disk)
		}
	}
}

func load(t testing.TB) *samples {
	t.Helper()
	all, err := newSamples()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func BenchmarkLatLngToCell(b *testing.B) {
	measure(b, func(s *sample) bool {
		c, err := h3.LatLngToCell(s.point, res)
		return err == nil && c == s.cell
	})
}

func BenchmarkCellToLatLng(b *testing.B) {
	measure(b, func(s *sample) bool {
		p, err := h3.CellToLatLng(s.cell)
		return err == nil && p == s.center
	})
}

func BenchmarkCellToParent(b *testing.B) {
	measure(b, func(s *sample) bool {
		c, err := s.cell.Parent(res - 1)
		return err == nil && c == s.parent
	})
}

func BenchmarkCellToBoundary(b *testing.B) {
	measure(b, func(s *sample) bool {
		v, err := h3.CellToBoundary(s.cell)
		return err == nil && len(v) == s.corner && v[0] == s.vertex
	})
}

func BenchmarkResolution(b *testing.B) {
	measure(b, func(s *sample) bool { return s.cell.Resolution() == res })
}

func BenchmarkBaseCellNumber(b *testing.B) {
	measure(b, func(s *sample) bool { return h3.BaseCellNumber(s.cell) == s.base })
}

func BenchmarkIsValid(b *testing.B) {
	measure(b, func(s *sample) bool { return s.cell.IsValid() })
}

func BenchmarkGreatCircleDistance(b *testing.B) {
	measure(b, func(s *sample) bool { return h3.GreatCircleDistanceKm(s.point, s.center) == s.km })
}

// BenchmarkGridDisk is the longest: a microsecond or more in C.
func BenchmarkGridDisk(b *testing.B) {
	measure(b, func(s *sample) bool {
		disk, err := h3.GridDisk(s.cell, 1)
		return err == nil && len(disk) == s.disk
	})
}

// measure times ok, which asks the library one thing about a sample and
// compares the answer.
func measure(b *testing.B, ok func(*sample) bool) {
	all := load(b)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if s := &all[i%len(all)]; !ok(s) {
			b.Fatalf("wrong result for %v", s.point)
		}
	}
}
