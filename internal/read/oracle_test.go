package read

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read/flow"
)

// amalgamation returns SQLite's source, as the go-sqlite3 module carries it.
func amalgamation(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/mattn/go-sqlite3")
	cmd.Dir = "../../examples"
	text, err := cmd.Output()
	var module struct{ Dir, Error string }
	if json.Unmarshal(text, &module) != nil || module.Dir == "" {
		t.Skipf("go-sqlite3 is not in the module cache, and cannot be had: %v %s", err, module.Error)
	}
	return filepath.Join(module.Dir, "sqlite3-binding.c")
}

func gnu(t *testing.T, cc string) {
	t.Helper()
	out, err := exec.Command(cc, "--version").Output()
	if err != nil || !strings.Contains(string(out), "Free Software Foundation") {
		t.Skipf("%s is not GNU's compiler, which is the oracle here", cc)
	}
}

// TestCallsEqualGCC compares the calls that are seen in SQLite's code with gcc's call graph.
func TestCallsEqualGCC(t *testing.T) {
	for _, c := range []struct {
		cc, flags string
		long      bool
	}{
		{"gcc", "-O1", false},
		{"gcc", "-O2", true},
		{"gcc", "-O0", true},
		{"gcc", "-Os", true},
		{"gcc", "-O2 -fno-asynchronous-unwind-tables", true},
		{"gcc", "-O2 -fstack-clash-protection -fstack-protector-strong", true},
		{"aarch64-linux-gnu-gcc", "-O2", true},
		{"aarch64-linux-gnu-gcc", "-O0", false},
		{"aarch64-linux-gnu-gcc", "-Os", true},
	} {
		t.Run(c.cc+c.flags, func(t *testing.T) {
			if c.long && os.Getenv("WHERRY_LONG") == "" {
				t.Skip("WHERRY_LONG=1 runs all compilers and levels")
			}
			gnu(t, c.cc)
			t.Parallel()
			dir := t.TempDir()
			object := filepath.Join(dir, "sqlite.o")
			args := append(strings.Fields(c.flags), "-w", "-DNDEBUG", "-DSQLITE_THREADSAFE=1", "-DSQLITE_ENABLE_RTREE", "-DSQLITE_ENABLE_FTS5",
				"-fcallgraph-info", "-save-temps=obj", "-c", "-o", object, amalgamation(t))
			if out, err := exec.Command(c.cc, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			p := open(t, linked(t, c.cc, object))
			if _, err := p.Read(p.files.Functions()...); err != nil {
				t.Fatal(err)
			}
			compareCalls(t, p, strings.TrimSuffix(object, ".o")+".ci", strings.TrimSuffix(object, ".o")+".s")
		})
	}
}

// namesOf returns all names of a function.
func namesOf(n *node) []string {
	if n.from != nil {
		return append(n.from.Names(n.addr), n.name)
	}
	return []string{n.name}
}

var edgeLine = regexp.MustCompile(`^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"`)

// compareCalls wants each call of gcc's graph to be found. Its assembly tells
// what pointers can point to that were followed to functions.
func compareCalls(t *testing.T, p *Program, graph, assembly string) {
	base := func(s string) string {
		s = strings.TrimPrefix(s[strings.LastIndexByte(s, ':')+1:], "*") // as the source spells it for the assembler
		s, _, _ = strings.Cut(s, ".")
		return s
	}
	want, functions := map[[2]string]bool{}, map[string]bool{}
	eachLine(t, graph, func(line string) {
		if m := nodeLine.FindStringSubmatch(line); m != nil {
			functions[base(m[1])] = true
		}
		if m := edgeLine.FindStringSubmatch(line); m != nil {
			want[[2]string{base(m[1]), base(m[2])}] = true
		}
	})
	got := map[[2]string]bool{}
	pointers := map[string]bool{} // functions that call through a pointer of unknown value
	for _, n := range p.nodes {
		if n.file != 0 || n.outline == nil {
			continue
		}
		// A function can have several names, also where gcc found that two are
		// the same; its graph has one of them.
		for _, from := range n.from.Names(n.addr) {
			from = base(from)
			for _, callee := range n.calls {
				got[[2]string{from, base(callee.name)}] = true
				for _, to := range namesOf(callee) {
					got[[2]string{from, base(to)}] = true
					functions[base(to)] = true // gcc's graph has no node for what is only pointed to
				}
			}
			if n.does.has(Indirect) {
				pointers[from] = true
			}
		}
	}
	taken := addressesTaken(t, assembly, functions, base)
	for e := range want {
		if e[1] != "__indirect_call" {
			continue
		}
		if pointers[e[0]] {
			got[e] = true
			continue
		}
		// All pointers were followed: to each function whose address this one
		// has, then.
		got[e] = len(taken[e[0]]) > 0
		for _, to := range taken[e[0]] {
			if !got[[2]string{e[0], to}] {
				t.Errorf("%s has the address of %s, which it is not seen to call", e[0], to)
			}
		}
	}
	// Behind a jump that could not be followed calls are not seen, and the
	// function is unknown. What such a function calls before it is seen.
	lost := map[string]bool{}
	for _, n := range p.nodes {
		if n.outline != nil && slices.ContainsFunc(n.outline.Findings, func(f flow.Finding) bool { return f.Kind == flow.Indirect && f.Tail }) {
			lost[base(n.name)] = true
		}
	}
	missing, unseen := 0, 0
	for _, e := range slices.SortedFunc(maps.Keys(want), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		switch {
		case got[e] || got[[2]string{e[0], e[1] + "_chk"}]:
		case lost[e[0]]:
			unseen++
		default:
			if missing++; missing <= 20 {
				t.Logf("no call %s -> %s", e[0], e[1])
			}
		}
	}
	t.Logf("%d of %d calls of gcc's graph found, %d behind unknown jumps", len(want)-missing-unseen, len(want), unseen)
	if missing > 0 {
		t.Errorf("%d of gcc's %d calls are missing", missing, len(want))
	}
	if unseen*50 > len(want) {
		t.Errorf("%d of gcc's %d calls are behind unknown jumps, want at most 2 %%", unseen, len(want))
	}
}

// addressesTaken reads from gcc's assembly which functions' addresses each
// function names other than to call them.
func addressesTaken(t *testing.T, file string, functions map[string]bool, base func(string) string) map[string][]string {
	taken := map[string][]string{}
	in := ""
	eachLine(t, file, func(line string) {
		switch {
		case strings.HasSuffix(line, ":") && !strings.HasPrefix(line, "."):
			in = base(strings.TrimSuffix(line, ":"))
		case takesAddress.MatchString(line):
			for _, name := range symbolName.FindAllString(line, -1) {
				if name = base(name); functions[name] && !slices.Contains(taken[in], name) {
					taken[in] = append(taken[in], name)
				}
			}
		}
	})
	return taken
}

var (
	nodeLine     = regexp.MustCompile(`^node: \{ title: "([^"]*)"`)
	takesAddress = regexp.MustCompile(`^\t(lea|mov|push|adr|ldr|add|cmov)`)
	symbolName   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.]*`)
)

func eachLine(t *testing.T, name string, f func(string)) {
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		f(lines.Text())
	}
}
