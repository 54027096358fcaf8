package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Of 1,000 comparisons 930 to 970 have the truth in their interval, whatever the number of
// rounds and the ratio: on an idle machine, and on a shared one that drifts, is
// busy for some processes, and at times stops one for long. The random numbers are the same in
// every run of this test.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const trials = 1000
	for name, process := range map[string]func(random *rand.Rand) func(second bool) float64{
		"idle": func(random *rand.Rand) func(bool) float64 {
			return func(bool) float64 { return math.Exp(0.01 * random.NormFloat64()) }
		},
		"shared": func(random *rand.Rand) func(bool) float64 {
			m := &machine{random: random}
			return func(second bool) float64 {
				time := m.process(second)
				if random.IntN(20) == 0 {
					time *= 1 + 9*random.Float64()
				}
				return time
			}
		},
	} {
		for _, rounds := range []int{6, 7, 10, 20, 40} {
			for _, ratio := range []float64{1, 1.3, 0.1} {
				t.Run(fmt.Sprintf("%s/rounds=%d/ratio=%v", name, rounds, ratio), func(t *testing.T) {
					random := rand.New(rand.NewPCG(5, uint64(rounds)))
					c := comparison{Options: Options{coin: func() bool { return random.Uint32()&1 == 0 }}}
					held := 0
					for range trials {
						next, pairs := process(random), make([]pair, rounds)
						for i := range pairs {
							for j, v := range c.order() {
								pairs[i][v].ns = next(j == 1)
							}
							pairs[i][cgo].ns *= ratio
						}
						if ci := summarize("x", pairs, firstLook).CI; ci.Lo <= ratio && ratio <= ci.Hi {
							held++
						}
					}
					if held < 930 || held > 970 {
						t.Errorf("%d of %d intervals hold the ratio, want 930 to 970", held, trials)
					}
				})
			}
		}
	}
}

// The interval of the inverse ratios is the inverse one, and equal values have no width.
func TestIntervalOfInverses(t *testing.T) {
	values, inverses, equal := []float64{1, 2, 3, 5, 8, 13, 21}, []float64{}, []float64{}
	for _, v := range values {
		inverses, equal = append(inverses, 1/v), append(equal, 1.7)
	}
	_, ci := interval(values)
	_, inverse := interval(inverses)
	if math.Abs(ci.Lo*inverse.Hi-1) > 1e-12 || math.Abs(ci.Hi*inverse.Lo-1) > 1e-12 || ci.Lo < 1 || ci.Lo > 2 || ci.Hi < 13 || ci.Hi > 21 {
		t.Errorf("got %v, of the inverses %v", ci, inverse)
	}
	if center, ci := interval(equal); center != 1.7 || ci != (Interval{1.7, 1.7}) {
		t.Errorf("equal values: %v %v", center, ci)
	}
}
