package check

import (
	"os"
	"runtime"
	"testing"
)

// elsewhereTested are the classes that C for one machine cannot have on purpose.
var elsewhereTested = map[Class]string{
	Callback:    "only Go's C code has one; tests: TestCheckAgreesWithBuild",
	Undecodable: "no compiler writes it; TestCorrupted",
}

// Each rule has a name of its own and a function in the corpus that it is for.
func TestRules(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the corpus is compiled for this machine, which is no amd64")
	}
	corpus, err := os.ReadFile("testdata/corpus.c")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Open(compile(t, "gcc", string(corpus), "-O2"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Check(p.AllFunctions()...)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Class]bool{}
	for _, r := range results {
		for _, h := range r.Hazards {
			seen[h.Class] = true
		}
	}
	for _, c := range Classes() {
		if parsed, ok := ParseClass(c.String()); !ok || parsed != c {
			t.Errorf("class %d has no name of its own: %s", c, c)
		}
		if !seen[c] && elsewhereTested[c] == "" {
			t.Errorf("%s: no function of testdata/corpus.c has it", c)
		}
	}
}
