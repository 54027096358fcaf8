package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const plainRun = `{"Action":"run","Package":"p","Test":"TestA"}
a line of a test program
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"run","Package":"p","Test":"TestA/sub"}
{"Action":"skip","Package":"p","Test":"TestA/sub"}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}
`

func parsed(t *testing.T, text string) results {
	t.Helper()
	r, err := parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Equal runs have no differences; a test that ended in another way, crashed or
// is missing is one.
func TestDifferences(t *testing.T) {
	plain := parsed(t, plainRun)
	all := whole(plain, plain)
	if n := plain.count(all.unsteady); n["pass"] != 1 || n["fail"] != 1 || n["skip"] != 1 {
		t.Errorf("got %v, want 1 of each", n)
	}
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{"", "", nil},
		{`"pass","Package":"p","Test":"TestA"`, `"fail","Package":"p","Test":"TestA"`, []string{"p TestA: plain cgo: pass, wherry: fail"}},
		{`"skip"`, `"pass"`, []string{"p TestA/sub: plain cgo: skip, wherry: pass"}},
		{`{"Action":"fail","Package":"p","Test":"TestB"}`, "", []string{"p TestB: plain cgo: fail, wherry: no end"}},
		{`"TestB"`, `"TestC"`, []string{"p TestB: plain cgo: fail, wherry: did not run", "p TestC: plain cgo: did not run, wherry: fail"}},
		{`{"Action":"fail","Package":"p"}`, `{"Action":"pass","Package":"p"}`, []string{"p : plain cgo: fail, wherry: pass"}},
	} {
		if got := all.differences(parsed(t, strings.ReplaceAll(plainRun, c.old, c.new))); !reflect.DeepEqual(got, c.want) && c.old != "" {
			t.Errorf("%s instead of %s: got %q, want %q", c.new, c.old, got, c.want)
		}
	}
	if got := all.differences(parsed(t, plainRun)); got != nil {
		t.Errorf("equal runs: got %q", got)
	}
}

// Tests that do not build are an error, though both sides have the same none.
func TestFailedBuild(t *testing.T) {
	if _, err := parse(strings.NewReader(plainRun + `{"Action":"fail","Package":"q","FailedBuild":"q.test"}`)); err == nil ||
		err.Error() != "realworld: the tests of q do not build" {
		t.Errorf("got %v", err)
	}
}

// A line that is cut off is an error, not a test less.
func TestCutOutput(t *testing.T) {
	if _, err := parse(strings.NewReader(plainRun + `{"Action":"pa`)); err == nil || !strings.Contains(err.Error(), "go test -json wrote") {
		t.Errorf("got %v", err)
	}
}

// A test that is unsteady under plain cgo is no difference, and is not counted, however
// wherry ends it of the two.
func TestUnsteady(t *testing.T) {
	first, second := parsed(t, plainRun), parsed(t, strings.Replace(plainRun, `"skip"`, `"fail"`, 1))
	all := whole(first, second)
	for _, wherry := range []results{first, second} {
		if n := wherry.count(all.unsteady); n["pass"] != 1 || n["fail"] != 1 || n["skip"] != 0 || all.differences(wherry) != nil {
			t.Errorf("got %v, %v", n, all.differences(wherry))
		}
	}
	delete(second, [2]string{"p", "TestB"})
	if all := whole(first, second); !all.unsteady([2]string{"p", "TestB"}) || all.differences(second) != nil {
		t.Errorf("a test that ran once: got %v", all)
	}
}

// A difference is left out once plain cgo has ended the test as wherry did, and only then.
func TestOtherwise(t *testing.T) {
	plain := parsed(t, plainRun)
	wherry := parsed(t, strings.NewReplacer(`"pass","Package":"p","Test":"TestA"`, `"fail","Package":"p","Test":"TestA"`, `"skip"`,
		`"fail"`).Replace(plainRun))
	all := whole(plain, plain)
	if got, want := pattern(all.differing(wherry)), "^(TestA)$"; got != want || len(all.differing(wherry)) != 2 {
		t.Errorf("got the pattern %s, want %s", got, want)
	}
	all.add([2]string{"p", "TestA/sub"}, "fail")
	if left := all.differences(wherry); len(left) != 1 || left[0] != "p TestA: plain cgo: pass, wherry: fail" {
		t.Errorf("one otherwise: got %v", left)
	}
	delete(wherry, [2]string{"p", "TestA"})
	if left := all.differences(wherry); len(left) != 1 || left[0] != "p TestA: plain cgo: pass, wherry: did not run" {
		t.Errorf("a test that did not run by wherry: got %v", left)
	}
}

// The functions of a report are counted: those that left cgo, and the others.
func TestFunctions(t *testing.T) {
	fast, cgo, err := functions([]byte(`wherry: 3 of 5
{"packages":[{"accelerated":[{"function":"a"},{"function":"b"},{"function":"c"}],"kept":[{"function":"f"}]},{"kept":[{"function":"g"}]}]}`))
	if fast != 3 || cgo != 2 || err != nil {
		t.Errorf("got %d, %d, %v", fast, cgo, err)
	}
	if _, _, err := functions([]byte("wherry: plain build")); err == nil {
		t.Error("no report: got no error")
	}
}

// Text that is left out is gone, and text that is not there is an error.
func TestLeaveOut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x_test.go")
	if err := os.WriteFile(path, []byte("one\ntwo\nthree\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := suite{without: [2]string{"x_test.go", "two\n"}}
	if err := s.leaveOut(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "one\nthree\n" {
		t.Errorf("got %q, %v, want one and three", text, err)
	}
	if err := s.leaveOut(dir); err == nil {
		t.Error("text that is not there was left out")
	}
}
