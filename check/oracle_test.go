package check

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// amalgamation returns SQLite's source, as the go-sqlite3 module carries it.
func amalgamation(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/mattn/go-sqlite3")
	cmd.Dir = "../examples"
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

// TestStackEqualsGCC compares, function by function, the stack that the
// checker sees in SQLite's code with what gcc says it gave them, and the calls
// with gcc's call graph.
func TestStackEqualsGCC(t *testing.T) {
	for _, c := range []struct {
		cc, flags string
		long      bool
	}{
		{"gcc", "-O2", false},
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
				"-fstack-usage", "-fcallgraph-info", "-save-temps=obj", "-c", "-o", object, amalgamation(t))
			if out, err := exec.Command(c.cc, args...).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			p, err := Open(object, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Check(p.AllFunctions()...); err != nil {
				t.Fatal(err)
			}
			compareStack(t, p, strings.TrimSuffix(object, ".o")+".su")
			compareCalls(t, p, strings.TrimSuffix(object, ".o")+".ci", strings.TrimSuffix(object, ".o")+".s")
		})
	}
}

func compareStack(t *testing.T, p *Program, file string) {
	usage := map[string][]int64{} // functions of one name: any of the values
	dynamic := map[string]bool{}
	eachLine(t, file, func(line string) {
		words := strings.Split(line, "\t")
		name := words[0][strings.LastIndexByte(words[0], ':')+1:]
		n, _ := strconv.ParseInt(words[1], 10, 64)
		usage[name] = append(usage[name], n)
		dynamic[name] = dynamic[name] || words[2] == "dynamic"
	})
	equal, higher, lower := 0, 0, 0
	for _, n := range p.nodes {
		if n.image != 0 || n.function == nil {
			continue
		}
		name, _, _ := strings.Cut(n.name, ".") // gcc's numbers of clones differ
		want, ok := usage[n.name]
		if !ok {
			want, ok = usage[name]
		}
		if !ok {
			continue
		}
		got := n.function.Stack
		if dynamic[n.name] {
			if !slices.ContainsFunc(n.hazards, func(h hazard) bool { return h.class == DynamicStack }) {
				t.Errorf("%s: gcc says its stack is dynamic", n.name)
			}
			continue
		}
		switch {
		case slices.Contains(want, got):
			equal++
		case got > slices.Min(want):
			higher++
			if higher <= 10 {
				t.Logf("%s: %d bytes, gcc says %d", n.name, got, want)
			}
		default:
			lower++
			t.Errorf("%s: %d bytes, gcc says %d", n.name, got, want)
		}
	}
	t.Logf("stack of %d functions equal, %d higher, %d lower", equal, higher, lower)
	if total := equal + higher + lower; total < 1000 || float64(equal) < 0.99*float64(total) {
		t.Errorf("only %d of %d equal, want 99 %%", equal, total)
	}
}

var edgeLine = regexp.MustCompile(`^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"`)

// compareCalls wants each call of gcc's graph to be found. Its assembly tells
// what pointers can point to that the checker followed to functions.
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
		if n.image != 0 || n.function == nil {
			continue
		}
		// A function can have several names, also where gcc found that two are
		// the same; its graph has one of them.
		for _, from := range n.names() {
			from = base(from)
			for _, e := range n.edges {
				got[[2]string{from, base(e.to.name)}] = true
				for _, to := range e.to.names() {
					got[[2]string{from, base(to)}] = true
					functions[base(to)] = true // gcc's graph has no node for what is only pointed to
				}
			}
			for _, h := range n.hazards {
				if h.class == Indirect {
					pointers[from] = true
				}
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
	// verdict is unknown. What such a function calls before it is seen.
	lost := map[string]bool{}
	for _, n := range p.nodes {
		for _, h := range n.hazards {
			if h.class == Indirect && strings.HasPrefix(h.detail, "jump ") {
				lost[base(n.name)] = true
			}
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
