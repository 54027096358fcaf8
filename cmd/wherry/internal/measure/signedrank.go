package measure

import (
	"cmp"
	"math"
	"slices"
)

// signedRank returns how probable it is that ratios of builds which do not differ lie as
// far to one side of 1 as these do, or farther: Wilcoxon's signed-rank test, exact. Since
// a coin decides which build is first in a round, each ratio is then as likely as its
// inverse, whatever the noise.
func signedRank(ratios []float64) (p float64) {
	type step struct{ size, log float64 }
	steps := make([]step, len(ratios))
	for i, r := range ratios {
		steps[i] = step{math.Abs(math.Log(r)), math.Log(r)}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.size, b.size) })
	// Ranks are doubled: equal steps share the mean of theirs.
	ranks, total, above, below := make([]int, len(steps)), 0, 0, 0
	for i := 0; i < len(steps); {
		j := i
		for j < len(steps) && steps[j].size == steps[i].size {
			j++
		}
		for k := i; k < j; k++ {
			ranks[k] = i + 1 + j
			total += ranks[k]
			if steps[k].log >= 0 { // none counts for both sides
				above += ranks[k]
			}
			if steps[k].log <= 0 {
				below += ranks[k]
			}
		}
		i = j
	}
	// ways[s] is the share of all signs by which those above have the sum s.
	ways := make([]float64, total+1)
	ways[0] = 1
	for _, rank := range ranks {
		for s := total; s >= 0; s-- {
			ways[s] /= 2
			if s >= rank {
				ways[s] += ways[s-rank] / 2
			}
		}
	}
	for s := 0; s <= min(above, below); s++ {
		p += 2 * ways[s]
	}
	return min(p, 1)
}
