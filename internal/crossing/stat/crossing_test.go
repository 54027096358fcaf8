package stat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var costs = Costs{Call: map[string]float64{"cgo": 25, "fast": 2, "reentrant": 3},
	Callback: map[string]float64{"cgo": 40, "reentrant": 4}}

func TestJudge(t *testing.T) {
	row := func(kind, mode string, n uint64) Counted {
		return Counted{Place{"p", "f" + kind + mode, kind, mode, "why"}, n}
	}
	for _, test := range []struct {
		counts           []Counted
		cpu              time.Duration
		ns, share, saves float64
		calls, callbacks uint64
		verdict          string
		idle             int
	}{
		{[]Counted{row(Call, "cgo", 1e6)},
			time.Second, 25e6, 0.025, 0.023, 1e6, 0, "2.5 % of CPU time is crossings: acceleration could save up to 2.3 %", 0},
		{[]Counted{row(Call, "cgo", 12e4)},
			time.Second, 3e6, 0.003, 0.00276, 12e4, 0, "0.3 % of CPU time is crossings: acceleration will not help", 0},
		{[]Counted{row(Call, "fast", 1e8), row(Call, "cgo", 4)},
			time.Second, 2e8 + 100, 0.2, 92e-9, 1e8 + 4, 0,
			"20 % of CPU time is crossings (76 % in the plain program), and acceleration could save less than 0.1 % more", 0},
		{[]Counted{row(Call, "fast", 9e7), row(Call, "cgo", 4), row(Call, "fast", 1e7)},
			time.Second, 2e8 + 100, 0.2, 92e-9, 1e8 + 4, 0, "20 %", 0},
		{[]Counted{row(Call, "fast", 1e8)},
			time.Second, 2e8, 0.2, 0, 1e8, 0,
			"20 % of CPU time is crossings (76 % in the plain program), and acceleration could save nothing more", 0},
		{[]Counted{row(Call, "fast", 1e6), {Place{"p", "fcallfast", Turned, "signal", ""}, 4e4},
			{Place{"p", "fcallfast", Turned, "cgo", ""}, 6e4}},
			time.Second, 4.5e6, 0.0045, 0, 1e6, 0, "0.4 %", 0},
		{[]Counted{row(Callback, "cgo", 1e6), row(Callback, "reentrant", 1e6)}, time.Second, 44e6, 0.044, 0.036, 0, 2e6, "4.4 % of CPU time", 0},
		{[]Counted{row(Call, "cgo", 1e9)}, time.Second, 25e9, 1, 1, 1e9, 0, "100 % of CPU time", 0},
		{[]Counted{row(Call, "cgo", 1e5)}, time.Millisecond, 25e5, 1, 1, 1e5, 0, "too little to judge by", 0},
		{[]Counted{row(Call, "fast", 4e6)},
			time.Second, 8e6, 0.008, 0, 4e6, 0,
			"0.8 % of CPU time is crossings (9.2 % in the plain program), and acceleration could save nothing more", 0},
		{[]Counted{row(Call, "fast", 1e5)},
			time.Second, 2e5, 0.0002, 0, 1e5, 0,
			"less than 0.1 % of CPU time is crossings (0.2 % in the plain program): acceleration does not help", 0},
		{[]Counted{row(Call, "cgo", 0), row(Call, "fast", 0)}, time.Second, 0, 0, 0, 0, 0, "no crossing was counted", 2},
		{nil, 0, 0, 0, 0, 0, 0, "no crossing was counted", 0},
	} {
		r := Judge("x", test.counts, costs, 2*time.Second, test.cpu)
		close := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+b) }
		if !close(r.NS, test.ns) || !close(r.Share, test.share) || !close(r.Saves, test.saves) ||
			r.Calls != test.calls || r.Callbacks != test.callbacks ||
			r.Idle != test.idle || !strings.HasPrefix(r.Verdict, test.verdict) && !strings.Contains(r.Verdict, test.verdict) {
			t.Errorf("%v: got %+v", test.counts, r)
		}
		if len(r.Rows) > 0 && r.Rows[0].Rate != float64(r.Rows[0].N)/2 {
			t.Errorf("%v: %v per second", test.counts, r.Rows[0].Rate)
		}
		places := map[Place]bool{}
		for _, row := range r.Rows {
			place := Place{row.Package, row.Function, row.Kind, row.Mode, row.Why}
			if places[place] {
				t.Errorf("%v: two rows for %v", test.counts, place)
			}
			places[place] = true
		}
		var text, profile bytes.Buffer
		if err := r.WriteText(&text); err != nil || !strings.HasSuffix(text.String(), r.Verdict+"\n") {
			t.Errorf("%v, got\n%s", err, &text)
		}
		if err := r.WriteProfile(&profile); err != nil || profile.Len() == 0 {
			t.Error(err, profile.Len())
		}
	}
}

// The pointer checks of a call's arguments are saved with the call.
func TestJudgeChecks(t *testing.T) {
	costs := costs
	costs.Checks = map[[2]string]float64{{"p", "f"}: 2, {"p", "fast"}: 1}
	costs.Call = maps.Clone(costs.Call)
	for _, form := range checkedForms {
		costs.Call["check"+form], costs.Call["fast"+form] = 10, 2+3
	}
	r := Judge("x", []Counted{{Place{"p", "f", Call, "cgo", ""}, 1e6}, {Place{"p", "fast", Call, "fast", ""}, 1e6}}, costs,
		time.Second, time.Second)
	if want := 1e6 * (23 + 2*7); r.Rows[0].SavesNS != want || r.Rows[1].SavesNS != 0 || r.Saves != want/1e9 {
		t.Errorf("got %v and %v, a share of %v, want %v, 0 and %v", r.Rows[0].SavesNS, r.Rows[1].SavesNS, r.Saves, want, want/1e9)
	}
}

func TestParseCosts(t *testing.T) {
	good := "check_slice 9\nfast_slice 3.1\ncheck_memory 12\nfast_memory 3.1\ncheck_handle 6\nfast_handle 3.1\n" +
		"cgo 24\nfast 2.1\nreentrant 3\ncallback_cgo 36\ncallback_reentrant 4\n"
	if c, err := ParseCosts(good); err != nil || c.Call["fast"] != 2.1 || c.Callback["reentrant"] != 4 ||
		math.Abs(c.check()-8) > 1e-9 {
		t.Errorf("got %v, %v", c, err)
	}
	for _, bad := range []string{"", "cgo", "cgo -1", "cgo x", strings.Replace(good, "fast", "slow", 1),
		strings.Replace(good, "callback_cgo 36\n", "", 1), strings.Replace(good, "check_memory 12\n", "", 1)} {
		if _, err := ParseCosts(bad); err == nil {
			t.Errorf("accepted %q", bad)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{"a": `"a"`, "a\tb\n": `"a b "`, `"\?`: `"\"\\\?"`, "µ1": `"\302\2651"`} {
		if got := quote(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// counts is the file of a program with two places, the first passed 3+4 times.
func counts() []byte {
	names := "p\tf\tcall\tcgo\twhy\np\tg\tcall\tcgo\twhy\n"
	var file bytes.Buffer
	binary.Write(&file, binary.LittleEndian, []uint64{0x77687279, 2, uint64(len(names)), 4096, 128, 2, 2})
	file.WriteString(names)
	file.Write(make([]byte, 4096-file.Len()))
	for _, n := range []uint64{3, 4} {
		binary.Write(&file, binary.LittleEndian, n)
		file.Write(make([]byte, 120))
	}
	return file.Bytes()
}

func read(t testing.TB, content []byte) ([]Counted, error) {
	path := filepath.Join(t.TempDir(), "counts")
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestRead(t *testing.T) {
	got, err := read(t, counts())
	if err != nil || len(got) != 2 || got[0] != (Counted{Place{"p", "f", "call", "cgo", "why"}, 7}) || got[1].N != 0 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := read(t, nil); !errors.Is(err, ErrNotCounted) {
		t.Errorf("an empty file: got %v", err)
	}
}

func TestReadDamaged(t *testing.T) {
	for i := range 7 * 8 { // any byte of the header
		content := counts()
		content[i] ^= 0x55
		if i/8 == 6 { // only a bound of the number of blocks
			continue
		}
		if got, err := read(t, content); err == nil {
			t.Errorf("byte %d damaged: got %v and no error", i, got)
		}
	}
	for _, n := range []int{1, 55, 57, 80, 4095, 4097} {
		if got, err := read(t, counts()[:n]); err == nil {
			t.Errorf("the first %d bytes: got %v and no error", n, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(counts())
	f.Fuzz(func(t *testing.T, content []byte) { read(t, content) })
}
