package latency

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"github.com/wherrygo/wherry/internal/latency/probe"
)

// A Row is one measurement, as the package comment describes it.
type Row struct {
	Bench   string   `json:"bench"`
	Variant string   `json:"variant"`
	Procs   int      `json:"procs"`
	NS      float64  `json:"ns"`
	Lo      *float64 `json:"lo"`
	Hi      *float64 `json:"hi"`
	Min     float64  `json:"min"`
	Ratio   float64  `json:"ratio_to_cgo"`
	RatioLo *float64 `json:"ratio_lo"`
	RatioHi *float64 `json:"ratio_hi"`
	Scaling float64  `json:"scaling"`
	Rounds  int      `json:"rounds"`
	Go      string   `json:"go"`
	GOOS    string   `json:"goos"`
	GOARCH  string   `json:"goarch"`
	CPU     string   `json:"cpu"`
	Noisy   string   `json:"noisy,omitempty"`

	What    string    `json:"-"`
	Samples []float64 `json:"-"` // by round
}

// A Report is a whole run.
type Report struct {
	Rows  []*Row
	CPU   string
	Noise Noise

	programs []Program
	listed   []listing
	samples  map[key]map[int]float64 // by round
}

// A key names a measurement in the processes that made it.
type key struct {
	program        *Program
	alone          string
	bench, variant string
	procs          int
}

type listing struct {
	program *Program
	probe.Listing
}

func newReport(programs []Program) *Report {
	return &Report{CPU: cpuName(), programs: programs, samples: map[key]map[int]float64{}}
}

func (l *listing) name() string { return l.Bench + "/" + l.Variant }

func (r *Report) put(p *Program, alone string, s probe.Sample) {
	k := key{p, alone, s.Bench, s.Variant, s.Procs}
	if r.samples[k] == nil {
		r.samples[k] = map[int]float64{}
	}
	r.samples[k][s.Round] = s.NS
}

// WriteJSON writes a line for each row.
func (r *Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, row := range r.Rows {
		if err := encoder.Encode(row); err != nil {
			return err
		}
	}
	return nil
}

// finite gives nil for what JSON cannot say.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}

// cpuName asks Linux; elsewhere the architecture has to do.
func cpuName() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
