package tests

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestCheckSARIF reads what -sarif writes by the rules of SARIF 2.1.0 (OASIS)
// that code hosts hold it to.
func TestCheckSARIF(t *testing.T) {
	t.Parallel()
	m := testdata(t, "verdicts")
	r := m.run(wherry, "check", "-sarif", ".")
	if r.status != 1 || strings.Contains(r.stderr, "\r") {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name, InformationURI string
					Rules                []struct {
						ID               string
						ShortDescription struct{ Text string }
						HelpURI          string
					}
				}
			}
			Results []struct {
				RuleID, Level string
				Message       struct{ Text string }
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine int }
					}
					LogicalLocations []struct{ FullyQualifiedName, Kind string }
				}
				PartialFingerprints map[string]string
			}
		}
	}
	decoder := json.NewDecoder(strings.NewReader(r.stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&log); err != nil {
		t.Fatalf("%v\n%s", err, r.stdout)
	}
	if log.Version != "2.1.0" || !strings.Contains(log.Schema, "sarif-2.1.0") || len(log.Runs) != 1 {
		t.Fatalf("version %q, schema %q, %d runs", log.Version, log.Schema, len(log.Runs))
	}
	absolute := func(what, text string) {
		if u, err := url.Parse(text); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s: %q is no absolute URI", what, text)
		}
	}
	run := log.Runs[0]
	if run.Tool.Driver.Name == "" {
		t.Error("the driver has no name")
	}
	absolute("informationUri", run.Tool.Driver.InformationURI)
	var rules []string
	for _, rule := range run.Tool.Driver.Rules {
		if rule.ID == "" || slices.Contains(rules, rule.ID) || !strings.HasSuffix(rule.ShortDescription.Text, ".") {
			t.Errorf("rule %+v", rule)
		}
		absolute(rule.ID, rule.HelpURI)
		rules = append(rules, rule.ID)
	}
	got, seen := map[string]string{}, map[string]bool{}
	for _, result := range run.Results {
		if !slices.Contains(rules, result.RuleID) {
			t.Errorf("the rule %q is not listed", result.RuleID)
		}
		if want := map[bool]string{true: "note", false: "warning"}[slices.Contains([]string{"indirect", "unresolved", "undecodable"},
			result.RuleID)]; result.Level != want {
			t.Errorf("%s: level %q, want %q", result.RuleID, result.Level, want)
		}
		if result.Message.Text == "" || len(result.Locations) != 1 || len(result.Locations[0].LogicalLocations) != 1 ||
			len(result.PartialFingerprints) != 1 {
			t.Fatalf("result %+v", result)
		}
		at := result.Locations[0]
		uri := at.PhysicalLocation.ArtifactLocation.URI
		if u, err := url.Parse(uri); err != nil || uri == "" || strings.ContainsAny(uri, " \\^{}|\"<>") || u.String() != uri {
			t.Errorf("%q is no URI reference: %v", uri, err)
		}
		if region := at.PhysicalLocation.Region; region != nil && region.StartLine < 1 {
			t.Errorf("%s: line %d", uri, region.StartLine)
		}
		for _, fingerprint := range result.PartialFingerprints {
			if seen[fingerprint] {
				t.Errorf("two results of fingerprint %q", fingerprint)
			}
			seen[fingerprint] = true
		}
		name := at.LogicalLocations[0]
		if name.Kind != "function" {
			t.Errorf("kind %q", name.Kind)
		}
		got[name.FullyQualifiedName] += result.RuleID + " "
	}
	for name, want := range map[string]string{"nap": "block ", "call": "indirect ", "copy": "alloc ", "free": "alloc ",
		"around": "callback ", "add": "", "sum": ""} {
		if got[name] != want {
			t.Errorf("%s: results of rules %q, want %q", name, got[name], want)
		}
	}
	// A run without a result has an empty list, not null.
	m.write("main.go", "package main\n\n// static int add(int a, int b) { return a + b; }\nimport \"C\"\n\nfunc main() { println(C.add(1, "+
		"2)) }\n")
	if r := m.must(wherry, "check", "-sarif", "."); !strings.Contains(r.stdout, `"results": []`) {
		t.Errorf("no results:\n%s", r.stdout)
	}
}

// TestCheckSuggest builds with the lines that -suggest prints, as comments and without
// the #.
func TestCheckSuggest(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "verdicts")
	r := m.run(wherry, "check", "-suggest", ".")
	if r.status != 1 || r.stderr != "" {
		t.Fatalf("exit status %d\n%s", r.status, r.stderr)
	}
	for _, line := range []string{"# example.com/m call nocallback\n",
		"fast, but what their arguments point to is allocated; by nocallback you promise that it does not call back"} {
		if !strings.Contains(r.stdout, line) {
			t.Errorf("want %q in\n%s", line, r.stdout)
		}
	}
	for _, name := range []string{"nap", "add", "sum", "copy", "around", "free"} { // what is fast anyway needs no line
		if strings.Contains(r.stdout, "example.com/m "+name+" ") {
			t.Errorf("%s is suggested:\n%s", name, r.stdout)
		}
	}
	want := m.must("go", "run", ".").stderr
	for _, policy := range []string{r.stdout, strings.ReplaceAll(r.stdout, "# example.com/m ", "example.com/m ")} {
		m.write("wherry.policy", policy)
		rep := m.build("fast")
		said := policy != r.stdout
		for name, want := range map[string]struct {
			mode       string
			nocallback bool
		}{"add": {"fast", true}, "sum": {"fast", true}, "nap": {"fast", true}, "call": {"fast", said}, "around": {"fast", false}} {
			if rep.mode(name) != want.mode || rep.nocallback(name) != want.nocallback {
				t.Errorf("%s: mode %q, nocallback %v, want %v, because %q", name, rep.mode(name), rep.nocallback(name), want, rep.why(name))
			}
		}
		if got := m.must("./fast").stderr; got != want {
			t.Errorf("with the policy\n%sgot %q, want %q", policy, got, want)
		}
	}
	if r := m.run(wherry, "check", "-suggest", "./fast"); r.status != 2 {
		t.Errorf("of a file: exit status %d, want 2", r.status)
	}
	if r := m.run(wherry, "check", "-suggest", ".", "nothing*"); r.status != 2 || !strings.Contains(r.stderr, "no function matches nothing*") {
		t.Errorf("of no function: exit status %d\n%s", r.status, r.stderr)
	}
	m.write("wherry.policy", "example.com/m call cgo\n")
	m.write("asks.c", "#define _GNU_SOURCE\n#include <pthread.h>\nint asks(void) { pthread_attr_t a; return "+
		"pthread_getattr_np(pthread_self(), &a); }\n")
	if r := m.run(wherry, "check", "-suggest", "."); r.status != 1 || strings.Contains(r.stdout, "m call ") ||
		!strings.Contains(r.stdout, "on cgo; by reentrant you promise that it does not compare") ||
		!strings.Contains(r.stdout, "\n# example.com/m around reentrant\n") {
		t.Errorf("on cgo: exit status %d\n%s", r.status, r.stdout)
	}
}

// TestCheckAgreesWithBuild holds that both say the same of a function: its verdict, and
// all that stands against it.
func TestCheckAgreesWithBuild(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "verdicts")
	m.write("other/other.go", "package other\n\n// #include <stdio.h>\n// static int says(const char *s) { return puts(s); }\nimport "+
		"\"C\"\n\nfunc Says() { C.says(C.CString(\"x\")) }\n")
	for _, p := range m.build("fast", ".").Packages {
		r := m.run(wherry, "check", "-json", p.Package)
		var target struct {
			Functions []struct {
				Name, Verdict string
				Loops         bool
				Hazards       []struct{ Class string }
			}
		}
		if err := json.Unmarshal([]byte(r.stdout), &target); err != nil {
			t.Fatalf("%v\n%s%s", err, r.stdout, r.stderr)
		}
		seen := 0
		for _, f := range target.Functions {
			for _, b := range append(p.Accelerated, p.Kept...) {
				if b.Function != f.Name {
					continue
				}
				seen++
				verdict := "safe"
				if rest, ok := strings.CutPrefix(b.Why, "checked: un"); ok {
					verdict, _, _ = strings.Cut("un"+rest, ",")
				}
				if verdict != f.Verdict {
					t.Errorf("%s: check says %s, build %q", f.Name, f.Verdict, b.Why)
				}
				for _, h := range f.Hazards {
					if !strings.Contains(b.Why, " "+h.Class+": ") {
						t.Errorf("%s: check says %s, build %q", f.Name, h.Class, b.Why)
					}
				}
				if n := strings.Count(b.Why, ": ") - 1; n != len(f.Hazards) {
					t.Errorf("%s: check names %d hazards, build %q", f.Name, len(f.Hazards), b.Why)
				}
			}
		}
		if seen < 8 || seen != len(target.Functions) {
			t.Errorf("%s: %d functions in check, %d of them in the build's report", p.Package, len(target.Functions), seen)
		}
	}
	// Several packages have a total.
	r := m.run(wherry, "check", "./...")
	safe, unsafe, unknown := 0, 0, 0
	for _, line := range strings.Split(r.stdout, "\n") {
		safe += strings.Count(line, ": safe, ")
		unsafe += strings.Count(line, ": unsafe, ")
		unknown += strings.Count(line, ": unknown, ")
	}
	if want := fmt.Sprintf("\n2 targets: %d safe, %d unsafe, %d unknown\n", safe, unsafe, unknown); !strings.HasSuffix(r.stdout, want) ||
		safe == 0 || unsafe == 0 {
		t.Errorf("want %q at the end of\n%s", want, r.stdout)
	}
}

// TestCheckExplain asks for the whole reasoning about functions of each kind.
func TestCheckExplain(t *testing.T) {
	t.Parallel()
	m := testdata(t, "verdicts")
	for name, want := range map[string][]string{
		"add":    {"add: safe", "Loops:\n  none"},
		"sum":    {"sum: safe", "Loops:\n  _cgo_"},
		"nap":    {"nap: unsafe", "Hazard block:", "usleep"},
		"call":   {"call: unknown", "Hazard indirect:", "through a pointer"},
		"around": {"around: unsafe", "Hazard callback:", "crosscall2"},
	} {
		r := m.run(wherry, "check", "-explain", name, ".")
		if r.status != 0 {
			t.Errorf("-explain %s: exit status %d\n%s", name, r.status, r.stderr)
		}
		contains(t, "-explain "+name, r.stdout, want...)
	}
	if r := m.run(wherry, "check", "-explain", "nowhere", "."); r.status != 2 || !strings.Contains(r.stderr, "nowhere") {
		t.Errorf("-explain nowhere: exit status %d\n%s", r.status, r.stderr)
	}
}
