package main

import (
	"testing"

	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
	"gonum.org/v1/netlib/blas/netlib"
)

const points, dimensions, groups = 1000, 16, 8

// BenchmarkJob puts each of 1,000 points of 16 dimensions into the nearest of 8
// groups, which is a step of k-means.
func BenchmarkJob(b *testing.B) {
	var blas netlib.Implementation
	centers := make([]float64, groups*dimensions)
	for g := range groups {
		centers[g*dimensions+g] = 1
	}
	data := make([]float64, points*dimensions)
	for p := range points {
		blas.Daxpy(dimensions, 0.9, centers[p%groups*dimensions:], 1, data[p*dimensions:], 1)
		data[p*dimensions+15] = float64(p)
	}
	for range job.Ops(b) {
		var sizes [groups]int
		for p := range points {
			point := data[p*dimensions : (p+1)*dimensions]
			nearest, best := 0, 0.0
			for g := range groups {
				if near := blas.Ddot(dimensions, point, 1, centers[g*dimensions:], 1); near > best {
					nearest, best = g, near
				}
			}
			sizes[nearest]++
		}
		for g, n := range sizes {
			if n != points/groups {
				b.Fatalf("group %d has %d points, want %d", g, n, points/groups)
			}
		}
	}
}
