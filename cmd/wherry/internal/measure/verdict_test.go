package measure

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A machine is a model of one on which others work: its speed drifts, noise lasts for
// several processes, another program works while two processes run and then waits while
// two run, mostly, and the process that comes second in a round finds the machine warmer.
type machine struct {
	random *rand.Rand
	drift  float64
	slow   float64 // noise that lasts
	busy   bool    // the other program works,
	left   int     // for so many processes
}

func (m *machine) process(second bool) float64 {
	const lasting = 0.9
	m.drift += 0.001
	m.slow = lasting*m.slow + 0.02*m.random.NormFloat64()
	if m.left--; m.left < 0 {
		m.busy, m.left = !m.busy, 1
		if m.random.IntN(10) == 0 {
			m.left = m.random.IntN(4)
		}
	}
	time := m.drift + m.slow + 0.01*m.random.NormFloat64()
	if m.busy {
		time += 0.1
	}
	if second {
		time += 0.01
	}
	return math.Exp(time)
}

// simulate makes one comparison of builds with a true ratio, as measure does.
func simulate(random *rand.Rand, order func(round int) [2]variant, ratio float64) Benchmark {
	m := &machine{random: random}
	k := key{name: "X"}
	r := newRecord(DefaultCount, ".")
	for round := 0; ; round++ {
		if round == r.count && r.extend(min(2*r.count, DefaultMost)) == 0 {
			break
		}
		for i, v := range order(round) {
			ns := 1000 * m.process(i == 1)
			if v == cgo {
				ns *= ratio
			}
			r.put(v, round, k, measurement{ns: ns})
		}
	}
	var p Package
	r.finishSeries(&p, k)
	return p.Benchmarks[0]
}

// Builds that do not differ are called faster or slower less than once in 200
// comparisons, beside load and with rounds that depend on each other; true differences
// are found all the same, and the interval holds what it says. The random numbers are the
// same in every run of this test.
func TestVerdictsHold(t *testing.T) {
	const trials = 20000
	random := rand.New(rand.NewPCG(3, 4))
	c := comparison{Options: Options{coin: func() bool { return random.Uint32()&1 == 0 }}}
	order := func(int) [2]variant { return c.order() }
	run := func(order func(int) [2]variant, ratio float64, trials int) (share map[Verdict]float64, held, rounds float64) {
		share = map[Verdict]float64{}
		for range trials {
			b := simulate(random, order, ratio)
			share[b.Verdict] += 1 / float64(trials)
			rounds += float64(b.Rounds) / float64(trials)
			if b.CI.Lo <= ratio && ratio <= b.CI.Hi {
				held += 1 / float64(trials)
			}
		}
		return share, held, rounds
	}
	share, held, rounds := run(order, 1, trials)
	t.Logf("no difference: verdicts %v, interval holds %.3f, %.1f rounds", share, held, rounds)
	if wrong := share[Faster] + share[Slower]; wrong >= 0.005 {
		t.Errorf("%.2f %% of verdicts are wrong, want less than 0.5", 100*wrong)
	}
	if held < 0.95 {
		t.Errorf("the interval holds the ratio in %.3f of comparisons, want 0.95", held)
	}
	for ratio, want := range map[float64]Verdict{1.3: Faster, 0.8: Slower} {
		share, held, rounds := run(order, ratio, trials/20)
		t.Logf("ratio %v: verdicts %v, interval holds %.3f, %.1f rounds", ratio, share, held, rounds)
		if share[want] < 0.9 {
			t.Errorf("ratio %v: %.3f of verdicts are %s, want 0.9", ratio, share[want], want)
		}
	}
	// The model is bad enough: it misleads rounds whose order follows a pattern, and
	// whoever goes by intervals of 95 %.
	share, _, _ = run(func(round int) [2]variant {
		if round%2 == 0 {
			return [2]variant{cgo, wherry}
		}
		return [2]variant{wherry, cgo}
	}, 1, trials)
	t.Logf("orders that alternate: verdicts %v", share)
	if wrong := share[Faster] + share[Slower]; wrong < 0.02 {
		t.Errorf("orders that alternate: %.2f %% of verdicts are wrong; the model is too kind to test anything", 100*wrong)
	}
	naive := 0.0
	for range trials {
		m, pairs := &machine{random: random}, make([]pair, DefaultCount)
		for i := range pairs {
			for j, v := range c.order() {
				pairs[i][v].ns = m.process(j == 1)
			}
		}
		if b := summarize("x", pairs, firstLook); b.CI.Lo > 1 || b.CI.Hi < 1 {
			naive += 1.0 / trials
		}
	}
	t.Logf("one look at 95 %%: %.4f of verdicts are wrong", naive)
	if naive < 0.01 {
		t.Errorf("one look at 95 %%: %.4f of verdicts are wrong; the model is too kind to test anything", naive)
	}
}
