package measure

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// A test binary with -test.bench and -test.v prints, for each benchmark, a
// line with its name when it starts, its log lines indented, and at the end
// either a result or one of
//
//	--- FAIL: BenchmarkName
//	--- SKIP: BenchmarkName
//
// Without -test.v there would be no trace of a skipped benchmark, and what a
// benchmark itself prints would come into the middle of its result line.

const prefix = "Benchmark"

// systemKeys are the lines on the machine that are kept.
var systemKeys = []string{"goos", "goarch", "pkg", "cpu"}

// readSheet reads the standard output of a test binary.
func readSheet(stdout []byte) *sheet {
	s := &sheet{system: map[string]string{}, trouble: map[string]trouble{}}
	for line := range strings.Lines(string(stdout)) {
		s.line(strings.TrimRight(line, "\r\n"))
	}
	s.forgiveParents()
	return s
}

func (s *sheet) line(line string) {
	if note, ok := strings.CutPrefix(line, "    "); ok {
		s.notes = append(s.notes, strings.TrimSpace(note))
		return
	}
	if _, name, ok := strings.Cut(line, "--- FAIL: "+prefix); ok {
		s.note(name, trouble{failed: true, text: "failed"})
		return
	}
	if _, name, ok := strings.Cut(line, "--- SKIP: "+prefix); ok {
		s.note(name, trouble{text: "skipped"})
		return
	}
	if name, ok := strings.CutPrefix(line, prefix); ok && !strings.ContainsAny(line, " \t") {
		s.start(name)
		return
	}
	if key, value, ok := strings.Cut(line, ": "); ok && slices.Contains(systemKeys, key) && s.system[key] == "" {
		s.system[key] = strings.TrimSpace(value)
		s.keep(line)
		return
	}
	s.result(line)
}

// result takes a line that may be a benchmark's result.
func (s *sheet) result(line string) {
	// The benchmark may have printed something before, without ending its line.
	at := strings.LastIndex(line, prefix+s.last())
	if at < 0 || s.last() == "" {
		at = strings.LastIndex(line, prefix)
	}
	if at < 0 {
		return
	}
	line = line[at:]
	reader := benchfmt.NewReader(strings.NewReader(line), "stdout")
	if !reader.Scan() {
		return
	}
	found, ok := reader.Result().(*benchfmt.Result)
	if !ok {
		return // something else that begins with the word Benchmark
	}
	s.keep(line)
	name, procs := s.split(string(found.Name.Full()))
	s.add(name, procs, found.Values)
}

// split takes the GOMAXPROCS off a name: with -test.cpu=1,2 the results of
// Insert are called Insert and Insert-2. A sub-benchmark may well be called
// rows-2 on its own, so the line that announced it decides.
func (s *sheet) split(full string) (name string, procs int) {
	if suffix, ok := strings.CutPrefix(full, s.last()+"-"); ok {
		if n, err := strconv.Atoi(suffix); err == nil {
			return s.last(), n
		}
	}
	if slices.Contains(s.started, full) {
		return full, 1
	}
	if i := strings.LastIndexByte(full, '-'); i >= 0 {
		if n, err := strconv.Atoi(full[i+1:]); err == nil {
			return full[:i], n
		}
	}
	return full, 1
}
