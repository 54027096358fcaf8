package measure

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Noise says what disturbed a run.
type Noise struct {
	Others float64 // processors that other processes kept busy, the hypervisor's share included; 0 if that is unknown
	Spread float64 // how far typical rounds lie above the best one: 0.1 is 10 %
}

// Above these a run is called noisy. Rounds of a quiet machine lie within some
// per cent, and its other processes take less than a tenth of a processor.
const (
	tooManyOthers = 0.25
	tooMuchSpread = 0.25
)

// Why says in a sentence why the run is noisy; it is empty for a quiet one.
func (n Noise) Why() string {
	var reasons []string
	if n.Others > tooManyOthers {
		reasons = append(reasons, fmt.Sprintf("other processes kept %.1f processors busy", n.Others))
	}
	if n.Spread > tooMuchSpread {
		reasons = append(reasons, fmt.Sprintf("typical rounds took %.0f %% longer than the best ones", 100*n.Spread))
	}
	return strings.Join(reasons, "; ")
}

// spread takes the median over the rows with one goroutine, whose rounds ought
// to agree; the more goroutines, the more they disturb each other.
func (n *Noise) spread(rows []row) {
	var spreads []float64
	for _, row := range rows {
		if row.Procs == rows[0].Procs {
			spreads = append(spreads, row.NS/row.Min-1)
		}
	}
	if len(spreads) > 0 {
		n.Spread = median(spreads)
	}
}

// watch begins to compare what all processors do with what our processes did when the
// result is called.
func (b *benching) watch() (stop func() Noise) {
	begin, ours := time.Now(), b.used
	all, known := machineTime("/proc/stat")
	return func() Noise {
		now, stillKnown := machineTime("/proc/stat")
		elapsed := time.Since(begin)
		if !known || !stillKnown || elapsed <= 0 {
			return Noise{}
		}
		others := (now - all) - (b.used - ours)
		return Noise{Others: max(0, others.Seconds()/elapsed.Seconds())}
	}
}

// tick is the unit of /proc/stat, the same on all of Linux's architectures.
const tick = 10 * time.Millisecond

// machineTime adds up the time that the processors were not idle, from the
// first line of /proc/stat: cpu user nice system idle iowait irq softirq steal.
func machineTime(file string) (time.Duration, bool) {
	text, err := os.ReadFile(file)
	line, _, _ := strings.Cut(string(text), "\n")
	fields := strings.Fields(line)
	if err != nil || len(fields) < 9 || fields[0] != "cpu" {
		return 0, false
	}
	var busy time.Duration
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, false
		}
		if i != 3 && i != 4 {
			busy += time.Duration(ticks) * tick
		}
	}
	return busy, true
}
