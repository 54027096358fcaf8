package main

import (
	"testing"

	"github.com/uber/h3-go/v4"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob indexes 1,000 points of a town: the cell of each, its parents down
// to resolution 5, and how many points each district has.
func BenchmarkJob(b *testing.B) {
	var points []h3.LatLng
	for i := range 1000 {
		points = append(points, h3.NewLatLng(52.4+float64(i%32)*0.005, 13.2+float64(i/32)*0.008))
	}
	for range job.Ops(b) {
		districts := map[h3.Cell]int{}
		for _, p := range points {
			cell, err := h3.LatLngToCell(p, 9)
			if err != nil {
				b.Fatal(err)
			}
			for resolution := 8; resolution >= 5; resolution-- {
				if cell, err = cell.Parent(resolution); err != nil {
					b.Fatal(err)
				}
			}
			districts[cell]++
		}
		sum := 0
		for cell, n := range districts {
			if cell.Resolution() != 5 || !cell.IsValid() {
				b.Fatalf("%v is no cell of resolution 5", cell)
			}
			sum += n
		}
		if sum != len(points) || len(districts) != 4 {
			b.Fatalf("got %d points in %d districts, want 1000 in 4", sum, len(districts))
		}
	}
}
