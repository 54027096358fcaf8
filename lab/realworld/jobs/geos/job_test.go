package main

import (
	"fmt"
	"testing"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/geos"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob asks for each of 100 plots whether it meets a road, and how much of
// it lies under the road.
func BenchmarkJob(b *testing.B) {
	parse := func(text string) geom.Geometry {
		g, err := geom.UnmarshalWKT(text)
		if err != nil {
			b.Fatal(err)
		}
		return g
	}
	road := parse("POLYGON((0 4.5,100 4.5,100 5.5,0 5.5,0 4.5))")
	var plots []geom.Geometry
	for i := range 100 {
		x, y := i%10*10, i/10
		plots = append(plots, parse(fmt.Sprintf("POLYGON((%d %d,%d %d,%d %d,%d %d,%d %d))", x, y, x+9, y, x+9, y+1, x, y+1, x, y)))
	}
	for range job.Ops(b) {
		meet, area := 0, 0.0
		for _, plot := range plots {
			ok, err := geos.Intersects(plot, road)
			if err != nil {
				b.Fatal(err)
			}
			if !ok {
				continue
			}
			meet++
			part, err := geos.Intersection(plot, road)
			if err != nil {
				b.Fatal(err)
			}
			area += part.Area()
		}
		if meet != 20 || area != 90 {
			b.Fatalf("got %d plots with %v under the road, want 20 with 90", meet, area)
		}
	}
}
