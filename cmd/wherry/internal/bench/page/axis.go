package page

import (
	"math"
	"strconv"
)

// An axis is a logarithmic axis.
type axis struct {
	min, max float64
	ticks    []float64
	label    func(tick float64) string
}

// newAxis returns an axis of ratios that has 1 inside. It makes room for all finite values. Differences of some per cent are
// not blown up to the whole width: the axis goes at least from 0.8 to 1.25.
func newAxis(values []float64) axis {
	lo, hi := 0.8, 1.25
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			lo, hi = math.Min(lo, v), math.Max(hi, v)
		}
	}
	return newAxisBetween(lo, hi, tickLabel)
}

// newTimeAxis returns an axis of times in nanoseconds, at least a tenth of the
// smallest wide, so that equal times do not look scattered.
func newTimeAxis(ns []float64) axis {
	lo, hi := math.Inf(1), 0.0
	for _, v := range ns {
		lo, hi = math.Min(lo, v), math.Max(hi, v)
	}
	return newAxisBetween(lo, math.Max(hi, 1.1*lo), timeLabel)
}

func newAxisBetween(lo, hi float64, label func(float64) string) axis {
	margin := math.Pow(hi/lo, 0.04)
	a := axis{min: lo / margin, max: hi * margin, label: label}
	a.ticks = ticks(a.min, a.max)
	return a
}

// grids are the ticks of one decade, from coarse to fine.
var grids = [][]float64{
	{1},
	{1, 3},
	{1, 2, 5},
	{1, 1.5, 2, 3, 4, 5, 7},
	{1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 4, 5, 6, 7, 8, 9},
	{1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5},
}

// fewestTicks is how many ticks an axis should have at least. The next finer
// grid has about twice as many at most, for which there is room.
const fewestTicks = 4

func ticks(lo, hi float64) []float64 {
	var found []float64
	for _, grid := range grids {
		found = found[:0]
		for decade := math.Floor(math.Log10(lo)); decade <= math.Log10(hi); decade++ {
			for _, step := range grid {
				if t := step * math.Pow(10, decade); t >= lo && t <= hi {
					found = append(found, t)
				}
			}
		}
		if len(found) >= fewestTicks {
			break
		}
	}
	return found
}

func tickLabel(t float64) string { return strconv.FormatFloat(t, 'g', 3, 64) }

func timeLabel(ns float64) string {
	switch {
	case ns >= 1e6:
		return tickLabel(ns/1e6) + " ms"
	case ns >= 1e3:
		return tickLabel(ns/1e3) + " us"
	}
	return tickLabel(ns) + " ns"
}
