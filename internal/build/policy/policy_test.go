package policy

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func load(t *testing.T, files map[string]string) ([]Rule, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return Load(FileName)
}

func TestLoad(t *testing.T) {
	rules, err := load(t, map[string]string{
		"wherry.policy":     "# head\n\nexample.com/a  f_*  nocallback # why\nexample.com/a f_slow cgo\r\ninclude sub/wherry.policy\n",
		"sub/wherry.policy": "example.com/b g fast\nexample.com/b h reentrant=1M\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{
		{"wherry.policy", 3, "example.com/a", "f_*", NoCallback, 0, false},
		{"wherry.policy", 4, "example.com/a", "f_slow", Cgo, 0, false},
		{filepath.Join("sub", "wherry.policy"), 1, "example.com/b", "g", Fast, 0, false},
		{filepath.Join("sub", "wherry.policy"), 2, "example.com/b", "h", Reentrant, 1 << 20, false},
	}
	if len(rules) != len(want) {
		t.Fatalf("got %v, want %v", rules, want)
	}
	for i := range want {
		if rules[i] != want[i] {
			t.Errorf("rule %d: got %v, want %v", i, rules[i], want[i])
		}
	}
}

func TestLoadWithoutFile(t *testing.T) {
	if rules, err := load(t, nil); err != nil || len(rules) != 0 {
		t.Errorf("got %v, %v, want nothing", rules, err)
	}
}

func TestLoadMistakes(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"p f", "wherry.policy:1: want `import/path  glob  mode`, got 2 words"},
		{"p f fast now", "got 4 words"},
		{"p f quick", `wherry.policy:1: unknown mode "quick": want cgo, fast, reentrant or nocallback`},
		{"p f fast=1M", `wherry.policy:1: fast has no C stack of its own, so "=1M" means nothing; want fast, or reentrant=1M`},
		{"p f nocallback=1M", `wherry.policy:1: nocallback has no C stack of its own`},
		{"p f reentrant=", `wherry.policy:1: reentrant=: size of a C stack "": want bytes with K or M, from 4K to 1024M, such as reentrant=1M`},
		{"p f reentrant=2G", "want bytes with K or M"},
		{"p f reentrant=-1M", "want bytes with K or M"},
		{"p f reentrant=1025M", "want bytes with K or M"},
		{"p f reentrant=4095", "want bytes with K or M"},
		{"p f reentrant=1M\np f reentrant", "wherry.policy:2: f of p is reentrant here and reentrant=1M at wherry.policy:1"},
		{"p [f fast", `malformed glob "[f"`},
		{"p f fast\np f cgo", "wherry.policy:2: f of p is cgo here and fast at wherry.policy:1"},
		{"include", "want `include FILE`"},
		{"\ninclude none", `wherry.policy:2: cannot read "none": no such file or directory; want a policy in this folder or below`},
		{"include wherry.policy", "wherry.policy:1: \"wherry.policy\" includes itself"},
		{"p f\np g quick", "got 2 words"}, // both are reported
		{"p f\np g quick", "unknown mode"},
	} {
		_, err := load(t, map[string]string{FileName: test.text})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got error %v, want one with %q", test.text, err, test.want)
		}
	}
}

// Files that include each other again and again are read once, or thirty
// levels of two includes each would take for ever.
func TestIncludedOnce(t *testing.T) {
	files := map[string]string{"30": "\ufeffp f fast\n"}
	for i := range 30 {
		name, next := strconv.Itoa(i), strconv.Itoa(i+1)
		if i == 0 {
			name = FileName
		}
		files[name] = "include " + next + "\ninclude " + next + "\n"
	}
	rules, err := load(t, files)
	if err != nil || len(rules) != 1 {
		t.Errorf("got rules %v, error %v; want the one of the file that all include", rules, err)
	}
}

func TestErrorsAreCapped(t *testing.T) {
	_, err := load(t, map[string]string{FileName: strings.Repeat("wrong\n", 100)})
	if err == nil || strings.Count(err.Error(), "\n") != maxErrors || !strings.HasSuffix(err.Error(), "\n90 more mistakes in the policy") {
		t.Errorf("got %v", err)
	}
}

func TestDecide(t *testing.T) {
	rules := []Rule{{Glob: "a*", Mode: NoCallback, Line: 1}, {Glob: "ab", Mode: Cgo, Line: 2}, {Glob: "ac", Mode: NoCallback, Line: 3},
		{Glob: "a[bd]", Mode: Reentrant, Line: 4}, {Glob: "e*", Mode: Reentrant, Line: 5}, {Glob: "ef", Mode: Reentrant, Stack: 1 << 20, Line: 6},
		{Glob: "ef", Mode: NoCallback, Line: 7},
		{Glob: "eg", Mode: Fast, Line: 8}, {Glob: "ag", Mode: Fast, Line: 9}}
	for name, want := range map[string]int{"aa": 1, "ab": 2, "ac": 1, "ad": 4, "b": 0, "e": 5, "ef": 6, "eg": 8, "ag": 9} {
		got := 0
		if rule := Decide(rules, name); rule != nil {
			got = rule.Line
		}
		if got != want {
			t.Errorf("%s: got rule %d, want %d", name, got, want)
		}
	}
}

func TestDirectives(t *testing.T) {
	for _, test := range []struct{ text, rules, err string }{
		{"//wherry:nocallback f g_*\nimport \"C\"", "f nocallback,g_* nocallback", ""},
		{"import \"C\"\n//wherry:cgo f\nvar x int", "f cgo", ""},
		{"//wherry:reentrant=64K f\nimport \"C\"", "f reentrant=64K", ""},
		{"//wherry:reentrant=5000 f\nimport \"C\"", "f reentrant=5000", ""},
		{"//wherry:reentrant=64k f\nimport \"C\"", "", `p.go:2: reentrant=64k: size of a C stack "64k"`},
		{"// wherry:cgo f is prose\nimport \"C\"", "", ""},
		{"//wherry:fast\nimport \"C\"", "", "p.go:2: //wherry:fast names no function"},
		{"//wherry:quick f\nimport \"C\"", "", `p.go:2: unknown mode "quick"`},
		{"//wherry:fast f\nvar x int", "", `p.go:2: //wherry:fast stands in a file that does not import "C"`},
		{"//wherry: fast f\nimport \"C\"", "", "p.go:2: empty //wherry: directive: want //wherry:fast NAME..., //wherry:reentrant NAME..., " +
			"//wherry:nocallback NAME... or //wherry:cgo NAME..."},
		{"//wherry:\nimport \"C\"", "", "empty //wherry: directive"},
		{"/*line p.go:1: fine\nwherry:7*/\n//wherry:quick f\nimport \"C\"", "", `p.go:1: fine\nwherry:8: unknown mode "quick"`},
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", "package p\n"+test.text+"\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := Directives(fset, file, "p")
		var got []string
		for _, rule := range rules {
			got = append(got, rule.Glob+" "+rule.Words())
		}
		if strings.Join(got, ",") != test.rules {
			t.Errorf("%q: got rules %q, want %q", test.text, got, test.rules)
		}
		if (err == nil) != (test.err == "") || err != nil && (!strings.Contains(err.Error(), test.err) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: got error %v, want %q", test.text, err, test.err)
		}
	}
}
