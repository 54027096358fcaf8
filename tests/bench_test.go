package tests

import (
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// What cannot be measured is reported in one line, with status 2, before anything
// is measured.
func TestBenchMisuse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, env, want string }{
		{"-nonsense", "", "-nonsense"},
		{"-cpu 0", "", `"0" is not a number`},
		{"-cpu 1,,2", "", `"" is not a number`},
		{"-count 0", "", "want at least 1"},
		{"-only (", "", "missing closing )"},
		{"-go go1.99.0", "GOPROXY=off", "go1.99.0"},
		{"extra", "", `unexpected "extra"`},
		{"-picture /nowhere/bench.svg", "", "/nowhere/bench.svg"},
		{"", "CC=/nowhere/cc", "no C compiler"},
		{"", "PATH=/nowhere", "no go command"},
	} {
		m := newModule(t, nil)
		if test.env != "" {
			m.env = append(m.env, test.env)
		}
		r := m.run(wherry, append([]string{"bench"}, strings.Fields(test.args)...)...)
		if r.status != 2 || !strings.HasPrefix(r.stderr, "wherry: bench: ") || strings.Count(r.stderr, "\n") != 1 ||
			!strings.Contains(r.stderr, test.want) {
			t.Errorf("bench %s (%s): status %d, %q; want 2 and one line with %q", test.args, test.env, r.status, r.stderr, test.want)
		}
	}
}

// benchRow is a measurement in bench -json, by the names that package measure promises.
type benchRow struct {
	Name, Variant string
	Procs         int
	NS            float64
	NSCI          []float64 `json:"ns_ci"`
	Ratio         float64
	Samples       struct{ NS []float64 }

	goVersion, cpu, noisy string
}

func benchRows(t *testing.T, text string) map[string]benchRow {
	t.Helper()
	var all struct {
		CPU, Noisy string
		Packages   []struct {
			Go         string
			Benchmarks []benchRow
		}
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	rows := map[string]benchRow{}
	for _, p := range all.Packages {
		for _, row := range p.Benchmarks {
			row.goVersion, row.cpu, row.noisy = p.Go, all.CPU, all.Noisy
			rows[strings.Join([]string{row.Name, row.Variant, strconv.Itoa(row.Procs), p.Go}, " ")] = row
		}
	}
	return rows
}

// The scenarios compile without a network, whatever module the user stands in. Beside a process
// that takes one of the processors the fast ways are faster too, and the run is called noisy.
func TestBench(t *testing.T) {
	needsFastPath(t)
	burner := exec.Command("nice", "-n19", "sh", "-c", "while :; do :; done") // what is compiled beside it goes first
	if err := burner.Start(); err != nil {
		t.Fatal(err)
	}
	defer burner.Wait()
	defer burner.Process.Kill()
	m := newModule(t, map[string]string{"go.work": "go 1.24\nuse ./nowhere\n"})
	m.env = append(m.env, "GOPROXY=off", "GOFLAGS=-mod=vendor")
	picture := m.path("bench.svg")
	for name, row := range benchOrder(t, m, picture) {
		if !strings.Contains(row.noisy, "processors busy") {
			t.Errorf("%s: noisy is %q, beside a process that never rests", name, row.noisy)
		}
	}
	t.Run("picture", func(t *testing.T) { testBenchPicture(t, picture) })
}

// benchOrder measures, until the variants that ought to be faster are. Three
// times at most: other tests may take all processors for seconds.
func benchOrder(t *testing.T, m *module, picture string) map[string]benchRow {
	for range 3 {
		rows, wrong := benchOnce(t, m, picture)
		if len(wrong) == 0 {
			return rows
		}
		t.Log(strings.Join(wrong, "\n"))
	}
	t.Fatal("three runs had a wrong order")
	return nil
}

func benchOnce(t *testing.T, m *module, picture string) (rows map[string]benchRow, wrong []string) {
	r := m.run(wherry, "bench", "-json", "-cpu", "1,2", "-count", "6", "-picture", picture, "-only",
		"call/(add|microsecond)|callback/1/|handle/cycle|landmark/(atomic|mutex)")
	if r.status != 0 || r.stderr != "" {
		t.Fatalf("status %d, %s", r.status, r.stderr)
	}
	rows = map[string]benchRow{}
	for _, row := range benchRows(t, r.stdout) {
		rows[row.Name+" "+row.Variant+" "+strconv.Itoa(row.Procs)] = row
		if row.NS <= 0 || len(row.NSCI) != 2 || row.NSCI[0] > row.NS || row.NSCI[1] < row.NS || row.goVersion == "" || row.cpu == "" ||
			len(row.Samples.NS) < 6 {
			t.Errorf("not a measurement: %+v", row)
		}
		if row.Variant == "cgo" && row.Ratio != 1 {
			t.Errorf("cgo is not as fast as itself: %+v", row)
		}
	}
	for _, order := range [][]string{
		{"call/add go-inline 1", "call/add fast 1", "call/add cgo 1"},
		{"call/add go 1", "call/add cgo 1", "call/microsecond cgo 1"},
		{"callback/1 reentrant 1", "callback/1 cgo 1"},
		{"handle/cycle wherry 1", "handle/cycle cgo 1"},
		{"call/add fast 2", "call/add cgo 2"},
	} {
		for i := 1; i < len(order); i++ {
			if a, b := rows[order[i-1]], rows[order[i]]; !(a.NS < b.NS) {
				wrong = append(wrong, fmt.Sprintf("%s takes %v, not less than %s, %v", order[i-1], a.NS, order[i], b.NS))
			}
		}
	}
	return rows, wrong
}

// testBenchPicture looks at the picture in a browser, on a light page and on a dark one.
// How long the bars are depends on the noise, so only few pixels of a colour are asked for.
func testBenchPicture(t *testing.T, picture string) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skipf("no screenshots: %v; script/bootstrap installs it", err)
	}
	for paper, setting := range map[string]string{"ffffff": "1", "15181c": "0"} {
		page, file := picture+".html", t.TempDir()+"/page.png"
		html := "<html style='background: #" + paper + "; color-scheme: light dark'><img src='file://" + picture + "'></html>"
		if err := os.WriteFile(page, []byte(html), 0o666); err != nil {
			t.Fatal(err)
		}
		command := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
			"--hide-scrollbars", "--user-data-dir="+t.TempDir(), "--blink-settings=preferredColorScheme="+setting,
			"--window-size=1280,1000", "--screenshot="+file, "file://"+page)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		defer f.Close()
		shot, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		bounds := shot.Bounds()
		count := map[string]int{}
		for y := range bounds.Dy() {
			for x := range bounds.Dx() {
				count[hex(shot.At(x, y))]++
			}
		}
		if edge := hex(shot.At(bounds.Dx()-3, bounds.Dy()-3)); edge != paper || count["ffffff"] < 100_000 ||
			count["c26a00"] < 1000 || count["0b62b5"] < 500 {
			t.Errorf("on #%s: %s beside the picture, in it %d pixels of its ground, %d of cgo's colour, %d of wherry's", paper, edge,
				count["ffffff"], count["c26a00"], count["0b62b5"])
		}
	}
}

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	const digits = "0123456789abcdef"
	text := ""
	for _, v := range []uint32{r >> 8, g >> 8, b >> 8} {
		text += string(digits[v>>4]) + string(digits[v&15])
	}
	return text
}

// -go measures several versions side by side.
func TestBenchGoVersions(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if testing.Short() {
		t.Skip("builds with two more Go versions")
	}
	r := newModule(t, nil).run(wherry, "bench", "-json", "-cpu", "1", "-count", "1", "-only", "^call/empty/fast", "-go", "go1.25.3,go1.27.0")
	if r.status == 2 && strings.Contains(r.stderr, "download") {
		t.Skip(r.stderr)
	}
	rows := benchRows(t, r.stdout)
	for _, want := range []string{"call/empty fast 1 go1.25.3", "call/empty cgo 1 go1.25.3", "call/empty fast 1 go1.27.0",
		"call/empty cgo 1 go1.27.0"} {
		if row, ok := rows[want]; !ok || row.NS <= 0 || row.NSCI != nil {
			t.Errorf("%s: got %+v", want, row)
		}
	}
	if len(rows) != 4 {
		t.Errorf("got %d rows, want 4\n%s", len(rows), r.stderr)
	}
}
