package latency

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func pageOf(t *testing.T, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := r.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A page drawn from the stored lines is the page of the run.
func TestPageFromLines(t *testing.T) {
	r := fakeReport(Noise{Others: 1})
	var lines bytes.Buffer
	if err := r.WriteJSON(&lines); err != nil {
		t.Fatal(err)
	}
	stored, err := Read("run.json", &lines)
	if err != nil {
		t.Fatal(err)
	}
	if pageOf(t, stored) != pageOf(t, r) {
		t.Error("the page of the stored lines differs from that of the run")
	}
}

// The overview has one strip for each work on one axis, and cgo's and wherry's
// dots are joined where there are both.
func TestOverview(t *testing.T) {
	text := pageOf(t, fakeReport(Noise{}))
	overview, rest, _ := strings.Cut(text, "All measured times")
	strips := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(overview, -1)
	if want := 3 + 1; len(strips) != want { // works, and their axis
		t.Fatalf("got %d strips, want %d", len(strips), want)
	}
	joined := `<path class="wherry"`
	if !strings.Contains(strips[0], joined) || strings.Contains(strips[1], joined) {
		t.Error("call/add must have a line from cgo to wherry, handoff must not")
	}
	for _, want := range []string{`class="cell cgo">60.0 ns<`, `class="cell wherry">6.00 ns<`, `class="cell ">10<`} {
		if !strings.Contains(overview, want) {
			t.Errorf("the overview lacks %s", want)
		}
	}
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("not a number in the page")
	}
	if got := strings.Count(rest, "<figure>"); got != 3 {
		t.Fatalf("got %d figures, want one for each work", got)
	}
}

// A run without its rounds has no empty section.
func TestPageLeavesOutWhatIsNotThere(t *testing.T) {
	r := fakeReport(Noise{})
	for _, row := range r.Rows {
		row.Samples = nil
	}
	if text := pageOf(t, r); strings.Contains(text, "All measured times") || !strings.Contains(text, "scaling") {
		t.Error("want no dots, and the table")
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "run.json: no line",
		"{\"packages\":[]}\n":    "run.json:1: not a line of wherry bench -json",
		"{\"bench\":\"a\"}\nx\n": "run.json:2: not a line of wherry bench -json",
	} {
		if _, err := Read("run.json", strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
