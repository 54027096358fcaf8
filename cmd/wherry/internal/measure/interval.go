package measure

import (
	"math"
	"slices"
)

// fewestForInterval is how many rounds an interval needs: five that all lie to one side
// of the median do so by chance more often than 5 % of the time.
const fewestForInterval = 6

// interval returns the median of positive values and its 95 % confidence interval, which
// assumes nothing about what disturbed them. Which values stand k-th from either end
// holds the median with a probability that the binomial distribution gives; between two
// such k's the bounds are interpolated (T. P. Hettmansperger, S. J. Sheather, Confidence
// intervals based on interpolated order statistics, 1986), on a logarithmic scale, so that
// an inverse ratio has the inverse interval.
func interval(values []float64) (center float64, ci Interval) {
	n := len(values)
	x := slices.Clone(values)
	slices.Sort(x)
	if n == 0 {
		return math.NaN(), infinite
	}
	center = (x[(n-1)/2] + x[n/2]) / 2
	if n < fewestForInterval {
		return center, infinite
	}
	// tail is the probability that fewer than k of n values lie to one side, p that k do.
	k, p := 1, math.Pow(0.5, float64(n))*float64(n)
	for tail := math.Pow(0.5, float64(n)); ; k++ {
		held, less := 1-2*tail, 1-2*(tail+p)
		if less < confidence {
			share := (held - confidence) / (held - less)
			weight := float64(n-k) * share / (float64(k) + float64(n-2*k)*share)
			between := func(outer, inner float64) float64 {
				if outer == inner {
					return outer
				}
				return math.Exp((1-weight)*math.Log(outer) + weight*math.Log(inner))
			}
			return center, Interval{between(x[k-1], x[k]), between(x[n-k], x[n-k-1])}
		}
		tail += p
		p *= float64(n-k) / float64(k+1)
	}
}
