package accel

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/abi"
)

func readTestdata(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/_cgo_gotypes.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parseText(t *testing.T, text string) *gotypes {
	t.Helper()
	path := filepath.Join(t.TempDir(), gotypesName)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	g, err := parseGotypes(path)
	if err != nil {
		t.Fatal(err)
	}
	g.variables = sync.OnceValue(func() *variables { return newVariables(g, nil, "amd64") })
	return g
}

// redirected is testdata after redirect, with its calls planned as change says.
func redirected(t *testing.T, change func(*decision)) (*plan, string) {
	t.Helper()
	g := parseText(t, readTestdata(t))
	p := &plan{Package: "p"}
	for _, f := range g.functions {
		if err := g.recognize(f); err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		registers := g.signature(f, "amd64") != nil
		call := decision{Function: Function{Name: f.name, Mode: policy.Fast, NoCallback: len(f.noCall) > 0}, GoName: f.decl.Name.Name,
			Symbol: f.symbol, Registers: registers}
		change(&call)
		p.Calls = append(p.Calls, call)
	}
	edited, err := (&Config{GoArch: "amd64"}).redirect(parseText(t, readTestdata(t)), p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "edited.go", edited, 0); err != nil {
		t.Errorf("the result is no Go: %v\n%s", err, edited)
	}
	return p, string(edited)
}

// contains checks which strings a text has, and which it does not.
func contains(t *testing.T, text string, wants, nots []string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	for _, not := range nots {
		if strings.Contains(text, not) {
			t.Errorf("want no %q in\n%s", not, text)
		}
	}
}

func TestRedirect(t *testing.T) {
	p, text := redirected(t, func(*decision) {})
	contains(t, text, []string{
		"//go:noescape\nfunc _wherry_call_0123456789ab_Cfunc_add(_wherry_p0 _Ctype_int, _wherry_p1 *_Ctype_double) (_Ctype_int)",
		"r1 = _wherry_call_0123456789ab_Cfunc_add(p0, p1)",
		"//go:cgo_export_static _wherry_yield_0123456789ab_Cfunc_add\n",
		"\tif _Cgo_always_false {\n\t\t_wherry_sink = unsafe.Pointer(p1)\n\t}\n", // p1 escapes, and p0 has no need to
		"\t_wherry_call_0123456789ab_Cfunc_quiet()\n",
		"\tvar errno syscall.Errno\n\tr1, errno = _wherry_call_0123456789ab_C2func_turn(p0.a, p0.b)\n\tif errno != 0 { r2 = " +
			"syscall.Errno(errno) }",
		"func _wherry_call_0123456789ab_C2func_turn(_wherry_p0 _Ctype_int, _wherry_p1 _Ctype_double) (_Ctype_int, syscall.Errno)\n",
		"errno := _wherry_call_0123456789ab_C2func_large(uintptr(unsafe.Pointer(&p0)))",
		"\t\t_Cgo_use(p0)\n",
		"//go:noescape\nfunc _wherry_call_0123456789ab_C2func_large(frame uintptr) int32",
		"var _wherry_sink unsafe.Pointer",
		"var _wherry_started = _wherry_call_start(0)",
		"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&_wherry_frame)))", // switched off
	}, []string{"_Cgo_use(p1)", "_Cgo_no_callback(true)", "_Cfunc_add, uintptr(unsafe.Pointer(&p0)))"})
	if n := strings.Count(text, "//go:cgo_unsafe_args"); n != 1 { // large keeps its frame
		t.Errorf("got %d functions with cgo's frame, want 1", n)
	}
	var got []string
	for _, s := range p.stubs {
		got = append(got, fmt.Sprintf("%s %s %d %q %d", s.Name, s.Target, s.Integers, s.Yield, s.Flags))
		if s.Two != (s.Name == "turn") {
			t.Errorf("%s: two results %v", s.Name, s.Two)
		}
	}
	want := []string{
		`add _wherry_twin_0123456789ab_Cfunc_add 2 "_wherry_yield_0123456789ab_Cfunc_add" 0`,
		`quiet _wherry_twin_0123456789ab_Cfunc_quiet 0 "_wherry_yield_0123456789ab_Cfunc_quiet" 1`,
		`turn _wherry_twin_0123456789ab_C2func_turn 1 "_wherry_yield_0123456789ab_C2func_turn" 0`,
		`large _wherry_twin_0123456789ab_C2func_large 1 "" 0`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got the stubs %q, want %q", got, want)
	}
}

// Arguments of a function that makes no callback stay where they are, and live on
// until it returns.
func TestRedirectNoCallback(t *testing.T) {
	p, text := redirected(t, func(call *decision) { call.NoCallback, call.ByRule = true, true })
	contains(t, text, []string{
		"\tif _Cgo_always_false {\n\t\t_wherry_kept = uintptr(unsafe.Pointer(p1))\n\t}\n",
		"\t\t_Cgo_keepalive(p0)\n",
	}, []string{"_Cgo_use(p", "_wherry_sink = "})
	for _, s := range p.stubs {
		if want := abi.NoCallback | abi.ByUser; s.Flags != want || s.OnStack {
			t.Errorf("%s: got flags %d, on a C stack %v; want %d, false", s.Name, s.Flags, s.OnStack, want)
		}
	}
}

func TestRedirectReentrant(t *testing.T) {
	p, _ := redirected(t, func(call *decision) {
		call.Mode, call.Stack, call.NoCallback, call.ByRule = policy.Reentrant, 1<<20, false, true
	})
	for _, s := range p.stubs {
		if !s.OnStack || s.Order != 20 || s.Flags != abi.ByUser {
			t.Errorf("%s: got flags %d, on a C stack %v of order %d; want %d, true, 20", s.Name, s.Flags, s.OnStack, s.Order, abi.ByUser)
		}
	}
}

// A function that stays on cgo is not touched, but the others are.
func TestRedirectKept(t *testing.T) {
	p, text := redirected(t, func(call *decision) {
		if call.Name != "quiet" {
			call.Mode, call.Symbol, call.Why = policy.Cgo, "", "a reason"
		}
	})
	contains(t, text, []string{
		"\t_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)))\n\tif _Cgo_always_false " +
			"{\n\t\t_Cgo_use(p0)\n\t\t_Cgo_use(p1)\n\t}\n",
		"errno := _cgo_runtime_cgocall(_cgo_0123456789ab_C2func_turn, ",
		"\t_wherry_call_0123456789ab_Cfunc_quiet()\n",
	}, []string{"_wherry_call_0123456789ab_Cfunc_add", "_wherry_call_0123456789ab_C2func_turn"})
	if len(p.stubs) != 1 {
		t.Errorf("got %d stubs, want 1", len(p.stubs))
	}
}

// Every deviation from what cgo is known to write leaves the function alone.
func TestUnknownShapesStayOnCgo(t *testing.T) {
	for _, change := range [][2]string{
		{"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)))",
			"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p1)))"},
		{"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, ", "_cgo_runtime_cgocall(other, "},
		{"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)))",
			"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)), 1)"},
		{"_cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)))",
			"defer _cgo_runtime_cgocall(_cgo_0123456789ab_Cfunc_add, uintptr(unsafe.Pointer(&p0)))"},
		{"\t\t_Cgo_use(p1)\n", "\t\t_Cgo_other(p1)\n"},
		{"\t\t_Cgo_use(p1)\n\t}\n", "\t\t_Cgo_use(p1)\n\t}\n\t_Cgo_new(p1)\n"},
		{"\t\t_Cgo_use(p1)\n\t}\n\treturn\n", "\t\t_Cgo_use(p1)\n\t}\n\treturn r1\n"},
	} {
		text := readTestdata(t)
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text {
			t.Fatalf("%q is not in the file", change[0])
		}
		g := parseText(t, changed)
		f := g.functions[0]
		if f.name != "add" {
			t.Fatalf("the first function is %s", f.name)
		}
		if err := g.recognize(f); err == nil {
			t.Errorf("with %q the function is still recognized", change[1])
		}
	}
}

func TestSignatures(t *testing.T) {
	g := parseText(t, readTestdata(t)+`
type _Ctype__Bool bool
func _Cfunc_a(p0 int8, p1 _Ctype_double, p2 int16, p3 unsafe.Pointer, p4 _Ctype__Bool) (r1 float32) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_b(p0 [2]int32) (r1 _Ctype_void) { _cgo_runtime_cgocall(nil, 0) }
type pair struct { x int8; y pairs }
type pairs [2]struct { z float64 }
func _Cfunc_h(p0 int8, p1 pair, p2 int8) (r1 pairs) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_i(p0 struct { a int8; _ [7]byte }) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_j(p0 struct { a [7]byte }) (r1 struct { a float64; b int8 }) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_k(p0 int8) (r1 [3]int8) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_l(p0 int8) (r1 struct { a float64; b int8 }) { _cgo_runtime_cgocall(nil, 0) }
func _C2func_m(p0 int8) (r1 int8, r2 error) { errno := _cgo_runtime_cgocall(_cgo_1, 0); if errno != 0 { r2 = syscall.Errno(errno) } }
func _C2func_n(p0 int8) (r1 float64, r2 error) { errno := _cgo_runtime_cgocall(_cgo_1, 0); if errno != 0 { r2 = syscall.Errno(errno) } }
func _C2func_o(p0 int8) (r1 [2]int8, r2 error) { errno := _cgo_runtime_cgocall(_cgo_1, 0); if errno != 0 { r2 = syscall.Errno(errno) } }
func _C2func_p(p0 int8) (r1 _Ctype_void, r2 error) { errno := _cgo_runtime_cgocall(_cgo_1, 0); if errno != 0 { r2 = syscall.Errno(errno) } }
func _Cfunc_c(p0, p1, p2, p3, p4, p5, p6 int) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_d(p0 int, p1 int, p2 int, p3 int, p4 int, p5 int, p6 int) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_e(p0 string) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_f(p0 *string) (r1 _Ctype_struct_pair) { _cgo_runtime_cgocall(nil, 0) }
func _Cfunc_g(p0 loop) { _cgo_runtime_cgocall(nil, 0) }
type loop loop
`)
	for _, test := range []struct {
		name   string
		amd64  bool
		arm64  bool
		params string // with the offset of each
		result string
		size   int64
	}{
		{"add", true, true, "p0 0 p1 8", "r1 16", 24},
		{"quiet", true, true, "", "", 0},
		{"a", true, true, "p0 0 p1 8 p2 16 p3 24 p4 32", "r1 40", 48},
		{"b", true, true, "p0[0] 0 p0[1] 4", "", 8},
		{"c", false, false, "", "", 0}, // not what cgo writes
		{"d", false, true, "p0 0 p1 8 p2 16 p3 24 p4 32 p5 40 p6 48", "", 56},
		{"e", false, false, "", "", 0},
		{"f", true, false, "p0 0", "r1.a 8 r1.b 16", 24},
		{"g", false, false, "", "", 0},
		{"h", true, true, "p0 0 p1.x 8 p1.y[0].z 16 p1.y[1].z 24 p2 32", "r1[0].z 40 r1[1].z 48", 56},
		{"i", false, false, "", "", 0}, // there may be more than a
		{"j", false, false, "", "", 0},
		{"k", false, false, "", "", 0},
		{"l", true, false, "p0 0", "r1.a 8 r1.b 16", 24},
		{"m", true, true, "p0 0", "r1 8", 16},
		{"n", true, false, "p0 0", "r1 8", 16},
		{"o", false, false, "", "", 0},
		{"p", true, true, "p0 0", "", 8},
	} {
		for _, f := range g.functions {
			if f.name != test.name {
				continue
			}
			g.recognize(f) // finds the result errno; most of these bodies are none that cgo writes
			sig, sigArm := g.signature(f, "amd64"), g.signature(f, "arm64")
			ok, okArm := sig != nil, sigArm != nil
			if ok != test.amd64 || okArm != test.arm64 {
				t.Errorf("%s: in registers on amd64 %v, arm64 %v; want %v, %v", f.name, ok, okArm, test.amd64, test.arm64)
			}
			if okArm {
				sig = sigArm
			}
			if ok || okArm {
				if params, result := offsets(sig.Params), offsets(sig.Results); params != test.params ||
					result != test.result || sig.Size != test.size {
					t.Errorf("%s: got frame %q, %q, %d; want %q, %q, %d", f.name, params, result, sig.Size, test.params, test.result, test.size)
				}
			}
		}
	}
}

func offsets(parts []part) string {
	var words []string
	for _, p := range parts {
		words = append(words, fmt.Sprint(p.Path, " ", p.Offset))
	}
	return strings.Join(words, " ")
}

func FuzzGotypes(f *testing.F) {
	text, err := os.ReadFile("testdata/_cgo_gotypes.go.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("package p\nfunc _Cfunc_f(p0 int) { _cgo_runtime_cgocall(_cgo_1_Cfunc_f, uintptr(unsafe.Pointer(&p0))) }")
	f.Add("package p\nfunc _Cfunc_f(p0 int) int { _cgo_runtime_cgocall(_cgo_1_Cfunc_f, uintptr(unsafe.Pointer(&p0))) }")
	f.Add("package p\nfunc _Cfunc_f(p0 int) (a, b int) { _cgo_runtime_cgocall(_cgo_1_Cfunc_f, 0) }")
	f.Add("package p\nfunc _Cfunc_f() (r1 _Ctype_void) { _cgo_runtime_cgocall(_cgo_1, 0); if _Cgo_always_false { } }")
	f.Add("package p\nfunc _Cfunc_f(p0 int) { _cgo_runtime_cgocall(_cgo_1, 0) }\nfunc _Cfunc_f(p0 string) { _cgo_runtime_cgocall(_cgo_1, 0) }")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), gotypesName)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		g, err := parseGotypes(path)
		if err != nil {
			return
		}
		p := &plan{Package: "p"}
		seen := map[string]bool{}
		for _, f := range g.functions {
			name := f.decl.Name.Name
			if seen[name] {
				return // no Go program
			}
			seen[name] = true
			registers := g.signature(f, "amd64") != nil
			if g.recognize(f) == nil {
				p.Calls = append(p.Calls, decision{Function: Function{Name: f.name, Mode: policy.Fast, NoCallback: len(f.noCall) > 0},
					GoName: f.decl.Name.Name, Symbol: f.symbol, Registers: registers})
			}
		}
		again, err := parseGotypes(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := (&Config{GoArch: "amd64"}).redirect(again, p, t.TempDir()); err != nil {
			t.Error(err)
		}
	})
}
