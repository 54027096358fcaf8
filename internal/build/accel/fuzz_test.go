package accel

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parse is parseGotypes for text that need not be Go.
func parse(t *testing.T, text string) *gotypes {
	path := filepath.Join(t.TempDir(), gotypesName)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := parseGotypes(path)
	if err != nil {
		return nil
	}
	return g
}

// slowName finds what cgo wrote under another name.
var slowName = regexp.MustCompile(`_wherry_slow_[0-9a-f]+_(\w+)\(`)

// Whatever cgo writes for exports: nothing is lost from the C text, and what is
// added to the Go text is Go.
func FuzzExports(f *testing.F) {
	f.Add(exportedGo, exportsAnchor+exportedC("plain", "short plain(int p0, void* p1)")+exportedC("wide", "void wide(struct s p0)"))
	f.Add("package p\nfunc _cgoexp_0123456789ab_f(a *struct{p0 int})\n", exportsAnchor+exportedC("f", "void f(int p0)"))
	f.Add("package p\nfunc _cgoexp_0123456789ab_f(a *struct{}) { f() }\n", exportsAnchor+exportedC("f", "void f()"))
	f.Fuzz(func(t *testing.T, goText, cText string) {
		g := parse(t, goText)
		if g == nil {
			return
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "_cgo_export.c")
		if err := os.WriteFile(path, []byte(cText), 0o666); err != nil {
			t.Fatal(err)
		}
		c := &Config{GoArch: "amd64", Offsets: allOffsets}
		side, err := c.redirectExports(dir, g, true, new(counter))
		if err != nil {
			t.Fatal(err)
		}
		edited, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if side == nil {
			if string(edited) != cText {
				t.Errorf("nothing was found, and the text is another:\n%s", edited)
			}
			return
		}
		added := side.goFunctions.String()
		if _, err := parser.ParseFile(token.NewFileSet(), "added.go", "package p\n"+added, 0); err != nil {
			t.Errorf("added: %v\n%s", err, added)
		}
		rest := slowName.ReplaceAllString(string(edited), "$1(")
		for _, line := range strings.Split(cText, "\n") { // in order, with more between
			_, after, ok := strings.Cut(rest, line)
			if !ok {
				t.Fatalf("lost: %q\n%s", line, edited)
			}
			rest = after
		}
	})
}

// The classifier against go/types: a function is called in registers exactly if its
// values are made of scalars of C and there are registers enough, and each has the
// size, the class and the place in the frame that the compiler gives it.
func FuzzClassifier(f *testing.F) {
	f.Add("type a int32\ntype b a\n", "p0 a, p1 b, p2 float64", "r1 b", true)
	f.Add("type s struct{x int; y [2]s2}; type s2 struct { a int8; b float32 }\n", "p0 s, p1 int8", "r1 s2", false)
	f.Add("type s struct{x int8; _ int}\n", "p0 s", "r1 [3]int8", false)
	f.Add("type a *a\ntype f func()\n", "p0 a, p1 unsafe.Pointer, p2 f", "r1 float32", true)
	f.Add("", "p0 int, p1 int, p2 int, p3 int, p4 int, p5 int, p6 int8, p7 float32", "r1 uintptr", false)
	f.Add("type int float64\n", "p0 int", "r1 int", true)
	f.Fuzz(func(t *testing.T, declarations, params, result string, arm bool) {
		text := "package p\nimport \"unsafe\"\nvar _ unsafe.Pointer\n" + declarations + "\nfunc _Cfunc_f(" + params + ") (" + result +
			") { _cgo_runtime_cgocall(0, 0); return }\nfunc _cgo_runtime_cgocall(int32, int32) {}\n"
		g := parse(t, text)
		if g == nil || len(g.functions) != 1 || len(g.file.Imports) != 1 {
			return
		}
		conf := types.Config{Importer: nil, Sizes: types.SizesFor("gc", "amd64")}
		pkg, err := conf.Check("p", g.fset, []*ast.File{g.file}, nil)
		if err != nil {
			return
		}
		object, ok := pkg.Scope().Lookup("_Cfunc_f").(*types.Func)
		if !ok {
			return
		}
		goarch, most := "amd64", 6
		if arm {
			goarch, most = "arm64", 8
		}
		got := g.signature(g.functions[0], goarch)
		if got == nil {
			return // that nothing is missed, TestSignatures shows
		}
		sig := object.Type().(*types.Signature)
		if sig.TypeParams().Len() > 0 || sig.Variadic() || sig.Recv() != nil || sig.Results().Len() > 1 {
			t.Fatalf("in registers: %v", sig)
		}
		// A struct of all of them is laid out as the frame, but for the result's alignment.
		var size int64
		want := []part{}
		place := func(v *types.Var) {
			size = alignUp(size, conf.Sizes.Alignof(v.Type()))
			parts, ok := partsOf(v.Name(), v.Type(), conf.Sizes, size)
			if !ok {
				t.Fatalf("in registers: %v", sig)
			}
			want = append(want, parts...)
			size += conf.Sizes.Sizeof(v.Type())
		}
		for i := range sig.Params().Len() {
			place(sig.Params().At(i))
		}
		size = alignUp(size, 8)
		args := len(want)
		if sig.Results().Len() == 1 && len(got.Results) > 0 {
			place(sig.Results().At(0))
			size = alignUp(size, 8)
		} else if sig.Results().Len() == 1 {
			if named, ok := sig.Results().At(0).Type().(*types.Named); !ok || named.Obj().Name() != "_Ctype_void" {
				t.Fatalf("no result in registers: %v", sig)
			}
		}
		all := slices.Concat(got.Params, got.Results)
		for i := range all {
			all[i].Type = ""
		}
		if len(got.Params) != args || got.Size != size || !reflect.DeepEqual(all, want) && len(all)+len(want) > 0 {
			t.Fatalf("%v: got %+v, %d, want %+v, %d", sig, all, got.Size, want, size)
		}
		if got.integers() > most || got.floats() > 8 || len(got.Results) > 2 || arm && len(got.Results) == 2 &&
			got.Results[0].Value.Float != got.Results[1].Value.Float {
			t.Fatalf("too much for registers: %v", sig)
		}
	})
}

// partsOf are a type's scalars by go/types. Types that are pointers to the machine, but
// none of C's, are none; nor is what has a field without a name.
func partsOf(path string, t types.Type, sizes types.Sizes, offset int64) (parts []part, ok bool) {
	scalar := func(v value) ([]part, bool) { return []part{{Value: v, Path: path, Offset: offset}}, true }
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return scalar(value{8, false, true})
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return scalar(value{8, false, true})
		}
		if u.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat) != 0 {
			return scalar(value{sizes.Sizeof(u), u.Info()&types.IsFloat != 0, false})
		}
	case *types.Array:
		for i := range u.Len() {
			more, ok := partsOf(fmt.Sprintf("%s[%d]", path, i), u.Elem(), sizes, offset+i*sizes.Sizeof(u.Elem()))
			if !ok || len(parts) > 20 {
				return nil, false
			}
			parts = append(parts, more...)
		}
		return parts, true
	case *types.Struct:
		var fields []*types.Var
		for i := range u.NumFields() {
			fields = append(fields, u.Field(i))
		}
		for i, at := range sizes.Offsetsof(fields) {
			more, ok := partsOf(path+"."+fields[i].Name(), fields[i].Type(), sizes, offset+at)
			if !ok || fields[i].Name() == "_" {
				return nil, false
			}
			parts = append(parts, more...)
		}
		return parts, true
	}
	return nil, false
}

// The wrappers that are found stand in the text, whole.
func FuzzWrappers(f *testing.F) {
	f.Add("CGO_NO_SANITIZE_THREAD\nvoid\n_cgo_0123456789ab_Cfunc_add(void *v)\n{\n\tint x;\n\t*(int *)v = 1;\n}\n")
	f.Add("int _cgo_a_C2func_f(void *v) {\n}\n")
	f.Fuzz(func(t *testing.T, text string) {
		found := map[string]wrapper{}
		findWrappers("x.c", text, found)
		for symbol, w := range found {
			if !strings.Contains(text, w.head+w.body+"}\n") || !strings.Contains(w.head, symbol) || w.result != "int" && w.result != "void" {
				t.Errorf("%s: %+v", symbol, w)
			}
		}
	})
}

// What travels as JSON: damage is an error.
func FuzzJSON(f *testing.F) {
	f.Add(`{"package":"p","calls":[{"function":"f","mode":"fast","go_name":"_Cfunc_f","symbol":"_cgo_1_Cfunc_f","registers":true}]}`)
	f.Add(`{"id":"1","goarch":"amd64","rules":[{"package":"p","glob":"[","mode":"fast"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		write := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			return path
		}
		readConfig(write("config.json", text))
		// A plan that was damaged must not bring compile down.
		write(planName, text)
		gotypes := write(gotypesName, fuzzedGotypes)
		c := &Config{GoArch: "amd64"}
		if p, err := c.beforeCompile(readCompileCommand([]string{gotypes})); err == nil && p != nil {
			if p.report == nil {
				t.Error("no report")
			}
		}
	})
}

const fuzzedGotypes = `package p
func _Cfunc_f(p0 int) (r1 int) {
	_cgo_runtime_cgocall(_cgo_1_Cfunc_f, uintptr(unsafe.Pointer(&p0)))
	return
}
`
