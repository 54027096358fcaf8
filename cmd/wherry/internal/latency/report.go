package latency

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/wherrygo/wherry/internal/measure/probe"
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

	What    string    `json:"what,omitempty"`
	Samples []float64 `json:"samples,omitempty"`
}

// A Report is a whole run.
type Report struct {
	Rows []*Row
	CPU  string

	programs []Program
	listed   []listing
	samples  map[key]map[int]float64 // by round
	used     time.Duration           // of the processors, by our processes
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

// Read reads the lines that WriteJSON wrote; name is the file's, for errors.
func Read(name string, lines io.Reader) (*Report, error) {
	r := &Report{}
	scanner := bufio.NewScanner(lines)
	scanner.Buffer(nil, 1<<20) // a line has all rounds
	for n := 1; scanner.Scan(); n++ {
		var row Row
		if err := json.Unmarshal(scanner.Bytes(), &row); err != nil || row.Bench == "" {
			return nil, fmt.Errorf("%s:%d: not a line of wherry bench -json: %w", name, n, cmp.Or(err, errors.New("no bench")))
		}
		r.Rows = append(r.Rows, &row)
		if !slices.ContainsFunc(r.programs, func(p Program) bool { return p.Go == row.Go }) {
			r.programs = append(r.programs, Program{Go: row.Go})
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("%s: no line; want those of wherry bench -json", name)
	}
	r.CPU = r.Rows[0].CPU
	return r, nil
}

// finite returns nil for what JSON cannot say.
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
