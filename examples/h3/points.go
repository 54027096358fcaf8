// Package h3 measures Uber's hexagonal grid: short functions that compute and do
// nothing else, where the crossing is a large part of every call.
package h3

import (
	"fmt"
	"math"

	"github.com/uber/h3-go/v4"
)

// res is the resolution the example works with: cells of about 0.1 km².
const res = 9

// A sample is one point with all that the library has to say about it.
type sample struct {
	point  h3.LatLng
	cell   h3.Cell
	center h3.LatLng
	parent h3.Cell
	base   int
	vertex h3.LatLng // the first of the cell's boundary
	corner int       // how many there are
	disk   int       // cells within distance 1
	km     float64   // from point to center
}

// An array, of a power of two, makes the choice of the next sample cost next
// to nothing beside a call of 2 ns.
type samples [512]sample

// newSamples spreads points evenly over the globe, along a spiral from pole to
// pole, and asks the library about each.
func newSamples() (*samples, error) {
	var all samples
	for i := range all {
		s := &all[i]
		s.point.Lat = math.Asin(2*(float64(i)+0.5)/float64(len(all))-1) * h3.RadsToDegs
		s.point.Lng = math.Mod(float64(i)*137.507764, 360) - 180
		if err := s.ask(); err != nil {
			return nil, fmt.Errorf("point %v: %w", s.point, err)
		}
	}
	return &all, nil
}

func (s *sample) ask() (err error) {
	if s.cell, err = h3.LatLngToCell(s.point, res); err != nil {
		return err
	}
	if s.center, err = h3.CellToLatLng(s.cell); err != nil {
		return err
	}
	if s.parent, err = s.cell.Parent(res - 1); err != nil {
		return err
	}
	boundary, err := h3.CellToBoundary(s.cell)
	if err != nil {
		return err
	}
	disk, err := h3.GridDisk(s.cell, 1)
	if err != nil {
		return err
	}
	s.base = h3.BaseCellNumber(s.cell)
	s.vertex, s.corner = boundary[0], len(boundary)
	s.disk = len(disk)
	s.km = h3.GreatCircleDistanceKm(s.point, s.center)
	return nil
}
