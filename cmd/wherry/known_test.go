package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/kept"
)

// A report is known by the whole build ID of its package, or because the package was compiled in
// this build. Else none of a build is.
func TestBuilt(t *testing.T) {
	dir := t.TempDir()
	folder, err := kept.Within(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	a := &acceleration{env: &gotool.Env{GOROOT: dir}, tmpdir: dir, kept: folder}
	c := &gotool.Command{Verb: "build"}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, pkg := range []string{"fmt", "plugin"} {
		if err := os.MkdirAll(filepath.Join(dir, "src", pkg), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write("compiled.json", `{"action":"new","report":{"package":"p/new"}}`+"\n"+`{"action":"plain","report":null}`+"\n"+`{"action":"torn`)
	const head, end = `[{"Mode":"link","Package":"p"},{"Mode":"build","Package":"fmt","BuildID":"s/s"}`, `]`
	action := func(pkg, id string) string { return `,{"Mode":"build","Package":"` + pkg + `","BuildID":"` + id + `"}` }
	for _, test := range []struct {
		what, graph, want string
	}{
		{"nothing but the standard library", head + end, `null`},
		{"compiled", head + action("p/new", "new/x") + action("p/plain", "plain/x") + end, `["p/new"]`},
		{"seen", head + action("p/old", "old/x") + end, `["p/old"]`},
		{"twice, as with profiles", head + action("p/old", "old/x") + action("p/old", "old2/x") + end, `["p/old"]`},
		{"the same action with another archive", head + action("p/old", "old/y") + end, ""},
		{"one of two", head + action("p/new", "new/x") + action("p/unseen", "unseen/x") + end, ""},
		{"without an ID", head + action("p/new", "") + end, ""},
		{"plugins", head + action("plugin", "x/x") + end, ""},
		{"half a file", head, ""},
	} {
		write("actions.json", test.graph)
		a.remember(c, known{"old/x": {Package: "p/old"}, "old2/x": {Package: "p/old"}, "": nil})
		found, ok := a.built(c)
		var names []string
		for _, report := range found {
			names = append(names, report.Package)
		}
		got, err := json.Marshal(names)
		if ok != (test.want != "") || ok && (err != nil || string(got) != test.want) {
			t.Errorf("%s: got %s, %v, want %s", test.what, got, ok, test.want)
		}
	}
	// What was compiled is known to the next build.
	write("actions.json", head+action("p/new", "new/x")+action("p/plain", "plain/x")+end)
	for _, build := range []string{"the first", "the second"} {
		if found, ok := a.built(c); !ok || len(found) != 1 {
			t.Errorf("%s: got %v, %v", build, found, ok)
		}
		os.Remove(filepath.Join(dir, "compiled.json"))
	}
}
