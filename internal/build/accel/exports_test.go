package accel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/crossing"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// allOffsets has everything of runtime.list.
var allOffsets = func() goruntime.Offsets {
	offsets := goruntime.Offsets{}
	for i, name := range goruntime.Names() {
		offsets[name] = int64(8 * i)
	}
	return offsets
}()

const exportedGo = `package p

import "unsafe"

type _Ctype_int int32
type _Ctype_short int16
type _Ctype_struct_s struct { a [2]int }

func _cgoexp_0123456789ab_plain(a *struct {
		p0 _Ctype_int
		p1 unsafe.Pointer
		r0 _Ctype_short
	}) {
	a.r0 = plain(a.p0, a.p1)
}
func _cgoexp_0123456789ab_silent(a *struct {}) {
	silent()
}
func _cgoexp_0123456789ab_wide(a *struct {
		p0 _Ctype_struct_s
	}) {
	wide(a.p0)
}
func _cgoexp_0123456789ab_T_method(a *struct {
		recv T
		p0 _Ctype_int
	}) {
	a.recv.method(a.p0)
}
func _cgoexp_0123456789ab_two(a *struct {
		p0 _Ctype_int
		r0 _Ctype_int
		r1 _Ctype_int
	}) {
	a.r0, a.r1 = two(a.p0)
}
`

func exportedC(name, head string) string {
	return "extern void _cgoexp_0123456789ab_" + name + "(void *);\n\nCGO_NO_SANITIZE_THREAD\n" + head +
		"\n{\n\tsize_t _cgo_ctxt = 0;\n\tcrosscall2(0, 0, 0, 0);\n}\n"
}

// Functions of scalars get a way through registers; all others keep cgo's
// frame, untouched but for crosscall2.
func TestRedirectExports(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "_cgo_export.c")
	text := "#include <stdlib.h>\n" + exportsAnchor +
		exportedC("plain", "short plain(int p0, void* p1)") +
		exportedC("silent", "void silent(void)") +
		exportedC("wide", "void wide(struct s p0)") +
		exportedC("T_method", "void T_method(GoUintptr recv, int p0)") +
		exportedC("two", "struct two_return two(int p0)")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &Config{GoArch: "amd64", Offsets: allOffsets, Wraps: true}
	side, err := c.redirectExports(dir, parseText(t, exportedGo), true, new(counter))
	if err != nil || side == nil {
		t.Fatalf("got %v, error %v", side, err)
	}
	edited, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, test := range map[string]struct {
		text  string
		wants []string
	}{
		"C": {string(edited), []string{
			"#define crosscall2(fn, frame, size, context) _wherry_callback_frame(fn, frame, size)",
			"extern unsigned long long _wherry_callback_0123456789ab_plain(int p0, void* p1)",
			"short plain(int p0, void* p1) { return (short)(unsigned short)_wherry_callback_0123456789ab_plain(p0, p1); }",
			"short _wherry_slow_0123456789ab_plain(int p0, void* p1)\n{",
			"CGO_NO_SANITIZE_THREAD\nvoid _wherry_slow_0123456789ab_silent(void)\n{",
		}},
		"Go": {side.goFunctions.String(), []string{
			"func _wherry_exported_0123456789ab_plain(_wherry_p0 _Ctype_int, _wherry_p1 unsafe.Pointer) _Ctype_short {\n\treturn " +
				"plain(_wherry_p0, _wherry_p1)",
			"func _wherry_exported_0123456789ab_silent()  {\n\tsilent()",
			"//go:cgo_export_static _wherry_exported_0123456789ab_plain",
		}},
		"stand-ins": {side.standIns.String(), []string{
			`__asm__("_wherry_callback_0123456789ab_plain")`, `__asm__("silent")`, "{ _wherry_slow_0123456789ab_silent(); }"}},
		"assembly": {crossing.Stubs(nil, side.callbacks), []string{
			`CALLBACK "_wherry_callback_0123456789ab_plain", _wherry_exported_0123456789ab_plain, 2, slow=_wherry_slow_0123456789ab_plain` + "\n",
			`CALLBACK "silent", _wherry_exported_0123456789ab_silent, 0, slow=_wherry_slow_0123456789ab_silent`}},
	} {
		for _, want := range test.wants {
			if !strings.Contains(test.text, want) {
				t.Errorf("%s: want %q in\n%s", what, want, test.text)
			}
		}
		for _, name := range []string{"wide", "method", "two"} {
			if strings.Contains(test.text, "_wherry_callback_0123456789ab_"+name) ||
				strings.Contains(test.text, "_wherry_exported_0123456789ab_"+name) || strings.Contains(test.text, "ab_T_method(recv") {
				t.Errorf("%s: %s has a way through registers:\n%s", what, name, test.text)
			}
		}
	}
}

// A file that does not look as expected stays as it is.
func TestRedirectUnknownExports(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "_cgo_export.c")
	for _, text := range []string{"", "int x;\n", exportsAnchor + "int f(void) { return 1; }\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		side, err := new(Config).redirectExports(dir, parseText(t, exportedGo), true, new(counter))
		after, _ := os.ReadFile(path)
		if side != nil || err != nil || string(after) != text {
			t.Errorf("%q: got %v, error %v, text %q", text, side, err, after)
		}
	}
	// And the plan then has a warning, where there are exports at all.
	if len(parseText(t, exportedGo).exported()) == 0 || len(parseText(t, "package p\nfunc f() {}\n").exported()) > 0 {
		t.Error("exported functions are not recognized as such")
	}
}
