package tests

import (
	"fmt"
	"go/types"
	"strings"
	"testing"
)

// A shadow is a package of the text in testdata that declares some names itself.
type shadow struct {
	name, ctype  string
	errno        bool
	declarations []string
}

// shadows declares every predeclared name in all ways in which plain cgo's own
// code, which uses some of them, builds: with another meaning, as another type of
// the same kind, as its alias, and as one of another kind but the same size.
func shadows() []shadow {
	values := shadow{name: "values", ctype: "double"}
	same, alias := shadow{name: "same", ctype: "int", errno: true}, shadow{name: "alias", ctype: "int", errno: true}
	swapped, floats := shadow{name: "swapped", ctype: "int"}, shadow{name: "floats", ctype: "double"}
	for _, name := range types.Universe.Names() {
		switch object := types.Universe.Lookup(name); object.(type) {
		case *types.TypeName:
			same.declarations = append(same.declarations, fmt.Sprintf("type %s names.T%[1]s", name))
			alias.declarations = append(alias.declarations, fmt.Sprintf("type %s = names.T%[1]s", name))
			other := map[string]string{"bool": "names.Tbool", "uintptr": "names.Tuintptr", "float64": "names.Tfloat64"}[name] // cgo needs these
			if other == "" {
				other = "struct{ Odd names.Odd }"
			}
			values.declarations = append(values.declarations, fmt.Sprintf("type %s %s", name, other))
		case *types.Builtin:
			values.declarations = append(values.declarations, fmt.Sprintf("func %s(...interface{}) {}", name))
		default:
			values.declarations = append(values.declarations, fmt.Sprintf("var %s names.Odd", name))
		}
	}
	swapped.declarations = []string{"type int32 names.Tfloat32", "type float64 names.Tint64"}
	floats.declarations = []string{"type float64 names.Tint64"}
	return []shadow{values, same, alias, swapped, floats}
}

// shadowModule is a program of such packages.
func shadowModule(t *testing.T, list []shadow) *module {
	m := newModule(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.17\n"}) // without type parameters
	names := "package names\n\ntype Odd struct{ Odd, Odder [2]string }\n\n"
	for _, name := range types.Universe.Names() {
		if _, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
			underlying := name
			if name == "any" || name == "comparable" { // younger than go.mod's version, a constraint alone
				underlying = "interface{}"
			}
			names += fmt.Sprintf("type T%s %s\n", name, underlying)
		}
	}
	m.write("names/names.go", names)
	text := testdata(t, "names/shadowing")
	var imports, uses, deep, policy strings.Builder
	for _, s := range list {
		fill := strings.NewReplacer("NAME", s.name, "TYPE", s.ctype).Replace
		m.write(s.name+"/shadowing.go", fill(text.read("shadowing.go")))
		if s.errno {
			m.write(s.name+"/errno.go", fill(text.read("errno.go")))
			fmt.Fprintf(&uses, "\t\t%s.UseErrno(say)\n", s.name)
		}
		m.write(s.name+"/own.go", fmt.Sprintf("package %s\n\nimport \"example.com/m/names\"\n\nvar _ names.Odd\n\n%s\n", s.name,
			strings.Join(s.declarations, "\n")))
		fmt.Fprintf(&imports, "\t\"example.com/m/%s\"\n", s.name)
		fmt.Fprintf(&uses, "\t\t%s.Use(say)\n", s.name)
		fmt.Fprintf(&deep, "\t%s.Deep()\n", s.name)
		for _, mode := range []string{"fast", "nocallback", "reentrant"} {
			fmt.Fprintf(&policy, "example.com/m/%s %s* %[2]s\n", s.name, mode)
		}
	}
	m.write("wherry.policy", policy.String())
	m.write("main.go", `package main

import (
	"fmt"
	"os"

`+imports.String()+`)

func say(values ...interface{}) { fmt.Println(values...) }

func main() {
	if len(os.Args) == 1 {
`+uses.String()+`		return
	}
`+deep.String()+`	say("deep")
}
`)
	return m
}

// A package may declare names that Go predeclares; what wherry adds to it does
// not use them.
func TestPredeclaredNames(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	list := shadows()
	m := shadowModule(t, list)
	m.must("go", "build", "-o", "plain")
	if r := m.run(wherry, "build", "-o", "fast"); r.status != 0 {
		var single []shadow
		for _, s := range list {
			for i, declaration := range s.declarations {
				single = append(single, shadow{fmt.Sprint(s.name, i), s.ctype, s.errno, []string{declaration}})
				t.Logf("%s%d: %s", s.name, i, declaration)
			}
		}
		t.Fatalf("wherry build: %s\none by one: %s", r.stderr, shadowModule(t, single).run(wherry, "build", "-o", "fast").stderr)
	}
	packages := m.build("fast").Packages
	if len(packages) != len(list) {
		t.Errorf("got reports of %d packages, want %d", len(packages), len(list))
	}
	for _, p := range packages {
		if want := 11; len(p.Accelerated) < want {
			t.Errorf("%s: got %d accelerated functions, want %d or more", p.Package, len(p.Accelerated), want)
		}
		for _, f := range p.Kept {
			t.Errorf("%s.%s stays on cgo: %s", p.Package, f.Function, f.Why)
		}
	}
	m.write("values/values_test.go", "package values\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {}\n")
	contains(t, "test", m.must(wherry, "test", "./values").stdout, "ok  \t") // with vet
	want, got := m.must("./plain").stdout, m.must("./fast").stdout
	if got != want || !strings.Contains(got, "{12 11}") {
		t.Errorf("got output\n%s\nwant, through plain cgo,\n%s", got, want)
	}
	if r := m.must("./fast", "deep"); r.stdout != "deep\n" {
		t.Errorf("nested deeper than a thread has C stacks: got %q, %q", r.stdout, r.stderr)
	}
}

// Where plain cgo takes a name, so does wherry.
func TestUnusualNames(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "names/unusual")
	m.must("go", "build", "-o", "plain")
	want := m.must("./plain").stdout
	for _, mode := range []string{"fast", "nocallback", "reentrant"} {
		m.write("wherry.policy", "example.com/m * "+mode+"\nexample.com/m uintptr reentrant\nexample.com/m error reentrant\n")
		for _, p := range m.build("fast").Packages {
			if len(p.Kept) != 1 || len(p.Accelerated) != 7 {
				t.Errorf("%s: got kept %v, want maß alone", mode, p.Kept)
			}
		}
		if got := m.must("./fast").stdout; got != want {
			t.Errorf("%s: got output\n%s\nwant, through plain cgo,\n%s", mode, got, want)
		}
	}
}

const overlaid = `package main

// static int half(int a) { return a / 2; }
import "C"

import "fmt"

func main() { fmt.Println(C.half(84)) }
`

// A Go file may be there by -overlay alone: what it declares counts.
func TestOverlay(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := newModule(t, map[string]string{"a/main.go": overlaid, "a/gone.go": "package main\n\ntype float64 int\n",
		"types.txt": "package main\n\ntype int32 float32\n", "overlay.json": `{"Replace": {"a/types.go": "types.txt", "a/gone.go": ""}}`})
	m.must("go", "build", "-overlay=overlay.json", "-o", "plain", "./a")
	want := m.must("./plain").stdout
	m.must(wherry, "build", "-overlay=overlay.json", "-o", "fast", "./a")
	if got := m.must("./fast").stdout; got != want {
		t.Errorf("got %q, want %q as through plain cgo", got, want)
	}
	m.write("a/overlay.json", `{"Replace": {"types.go": "../types.txt", "gone.go": "", "nowhere/x.go": "../types.txt"}}`)
	m.must(wherry, "build", "-C", "a", "-overlay", "overlay.json", "-o", "fast", ".")
	if got := m.must("./a/fast").stdout; got != want {
		t.Errorf("with -C: got %q, want %q as through plain cgo", got, want)
	}
	m.write("overlay.json", "{")
	m.env = append(m.env, "GOFLAGS=-overlay=overlay.json")
	r := m.run(wherry, "build", "./a")
	if contains(t, "a broken overlay", r.stderr, "parsing overlay JSON"); r.status != 1 {
		t.Errorf("a broken overlay: got status %d", r.status)
	}
}
