package tests

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The same calls through plain cgo are the oracle: C functions of random
// signatures mix all the bits that they are given, and both programs must
// print the same. Every third one waits before it looks at its arguments, so that its
// call is turned. Those with callbacks also call a Go function of a random signature,
// which prints what it got: from a C stack, which they have by default and where a rule
// says reentrant, and from the thread's, where one says fast.
func TestRandomSignaturesAgreeWithCgo(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	functions := 12
	if testing.Short() {
		functions = 8
	}
	program := newSignatures(1, functions, "fast", "nocallback", "callbacks", "callbacks fast", "reentrant")
	for _, cc := range []string{"gcc", "gcc -O0", "clang", "aarch64-linux-gnu-gcc", "aarch64-linux-gnu-gcc -O0"} {
		t.Run(cc, func(t *testing.T) {
			t.Parallel()
			program.agreesWithCgo(t, cc)
		})
	}
}

// FuzzSignatures makes a program from each seed. It builds two programs for
// each, so it is slow: go test ./tests -run=- -fuzz=FuzzSignatures -parallel=2
func FuzzSignatures(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() == "" {
		f.Skip("TestRandomSignaturesAgreeWithCgo has the first seeds")
	}
	for seed := range uint64(2) {
		f.Add(seed, seed == 1)
	}
	f.Fuzz(func(t *testing.T, seed uint64, reentrant bool) {
		needsFastPath(t)
		mode := "fast"
		if reentrant {
			mode = "reentrant"
		}
		newSignatures(seed, 8, mode).agreesWithCgo(t, "gcc")
	})
}

// signatures is a program of functions with random signatures, so many of each mode: what a
// rule says, if one does, and whether they call back.
type signatures struct {
	source string
	modes  []string // of the functions, f0 and on
}

func newSignatures(seed uint64, functions int, modes ...string) *signatures {
	s := &signatures{}
	for _, mode := range modes {
		s.modes = append(s.modes, slices.Repeat([]string{mode}, functions)...)
	}
	s.source = randomProgram(rand.New(rand.NewPCG(seed, 2)), s.modes)
	return s
}

func (s *signatures) agreesWithCgo(t *testing.T, cc string) {
	m := testdata(t, "random")
	m.write("main.go", s.source)
	policy := ""
	for i, mode := range s.modes {
		switch mode {
		case "reentrant", "nocallback":
			policy += fmt.Sprintf("example.com/m f%d %s\n", i, mode)
		case "callbacks fast":
			policy += fmt.Sprintf("example.com/m f%d fast\n", i)
		}
	}
	m.write("wherry.policy", policy)
	compiler, flags, _ := strings.Cut(cc, " ")
	if strings.HasPrefix(cc, "aarch64") {
		m.on(arm64)
	}
	m.env = append(m.env, "CC="+compiler)
	if flags != "" { // without, it is -O2 by default
		m.env = append(m.env, "CGO_CFLAGS=-g "+flags)
	}
	for _, tool := range append(target{runner: m.runner}.tools(), compiler) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	rep := m.build("fast")
	for i, mode := range s.modes {
		want := "fast"
		if mode == "reentrant" {
			want = mode
		}
		name := fmt.Sprintf("f%d", i)
		if got := rep.mode(name); got != want {
			t.Errorf("%s is %q, want %s: %s", name, got, want, rep.why(name))
		}
	}
	m.must("go", "build", "-o", "plain")
	plain := m.mustProgram("./plain").stdout
	if strings.Count(plain, "\n") < len(s.modes) {
		t.Fatalf("the plain program printed only\n%s", plain)
	}
	sameLines(t, m.mustProgram("./fast").stdout, plain)
	m.env = append(m.env, "GODEBUG=asyncpreemptoff=1") // every call is turned before it begins
	sameLines(t, m.mustProgram("./fast").stdout, plain)
}

func sameLines(t *testing.T, got, want string) {
	t.Helper()
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range wantLines {
		if i >= len(gotLines) || wantLines[i] != gotLines[i] {
			t.Fatalf("line %d: got %q, cgo gives %q", i, gotLines[min(i, len(gotLines)-1)], wantLines[i])
		}
	}
}

// cTypes are the types of arguments and results, with a Go expression that
// makes one from a random uint64, and a C expression that folds one into h.
var cTypes = []struct{ c, value, fold, make string }{
	{"char", "C.char(v)", "MIX(%s)", "(char)h"},
	{"signed char", "C.schar(v)", "MIX(%s)", "(signed char)h"},
	{"unsigned char", "C.uchar(v)", "MIX(%s)", "(unsigned char)h"},
	{"short", "C.short(v)", "MIX(%s)", "(short)h"},
	{"unsigned short", "C.ushort(v)", "MIX(%s)", "(unsigned short)h"},
	{"int", "C.int(v)", "MIX(%s)", "(int)h"},
	{"unsigned", "C.uint(v)", "MIX(%s)", "(unsigned)h"},
	{"long", "C.long(v)", "MIX(%s)", "(long)h"},
	{"long long", "C.longlong(v)", "MIX(%s)", "(long long)h"},
	{"unsigned long long", "C.ulonglong(v)", "MIX(%s)", "h"},
	{"size_t", "C.size_t(v)", "MIX(%s)", "h"},
	{"int8_t", "C.int8_t(v)", "MIX(%s)", "(int8_t)h"},
	{"uint16_t", "C.uint16_t(v)", "MIX(%s)", "(uint16_t)h"},
	{"bool", "C.bool(v&1 == 0)", "MIX(%s)", "(h & 2) != 0"},
	{"float", "C.float(int32(v))", "MIXF(%s)", "(float)(int)h"},
	{"double", "C.double(int64(v))", "MIXD(%s)", "(double)(long)h"},
	{"enum color", "C.enum_color(v % 3)", "MIX(%s)", "(enum color)(h % 3)"},
	{"void *", "unsafe.Pointer(&cell[v%8])", "MIX(*(char *)%s)", "(void *)&constant"},
	{"const char *", "(*C.char)(unsafe.Pointer(&cell[v%8]))", "MIX(*%s)", "&constant"},
	{"function", "C.function(unsafe.Pointer(&cell[v%8]))", "MIX(*(char *)(void *)%s)", "(function)(void *)&constant"},
	{"const int", "C.int(v)", "MIX(%s)", "(int)h"},
	{"struct ints", "C.struct_ints{C.long(v), C.long(^v)}", "MIX(%[1]s.a); MIX(%[1]s.b)", "(struct ints){(long)h, (long)~h}"},
	{"struct vector", "C.struct_vector{C.double(int32(v)), C.double(int8(v >> 8))}", "MIXD(%[1]s.x); MIXD(%[1]s.y)",
		"(struct vector){(int)h, (signed char)(h >> 8)}"},
	{"struct floats", "C.struct_floats{[2]C.float{C.float(int8(v)), C.float(int8(v >> 8))}}", "MIXF(%[1]s.x[0]); MIXF(%[1]s.x[1])",
		"(struct floats){{(signed char)h, (signed char)(h >> 8)}}"},
	{"struct nested", "C.struct_nested{C.short(v), C.struct_inner{C.double(int8(v)), C.struct_one{C.long(v >> 9)}}}",
		"MIX(%[1]s.n); MIXD(%[1]s.in.x); MIX(%[1]s.in.t.a)", "(struct nested){(short)h, {(signed char)h, {(long)(h >> 9)}}}"},
	{"struct mixed", "C.struct_mixed{C.float(int8(v)), C.long(v)}", "MIXF(%[1]s.x); MIX(%[1]s.n)", "(struct mixed){(signed char)h, (long)h}"},
	{"struct bits", "C.struct_bits{x: C.double(int8(v))}", "MIXD(%[1]s.x); MIX(%[1]s.a); MIX(%[1]s.b)", "(struct bits){(signed char)h, 1, 2}"},
	{"struct pair", "C.struct_pair{C.int(v), C.double(int8(v >> 8))}", "MIX(%[1]s.a); MIXD(%[1]s.b)",
		"(struct pair){(int)h, (double)(int)(h >> 32)}"},
	{"struct tiny", "C.struct_tiny{C.char(v)}", "MIX(%s.a)", "(struct tiny){(char)h}"},
	{"struct big", "C.struct_big{[5]C.long{C.long(v), 1, 2, C.long(v >> 7), 4}}", "MIX(%[1]s.a[0] ^ %[1]s.a[3] ^ %[1]s.a[4])",
		"(struct big){{(long)h, 2, 3, 4, (long)~h}}"},
	{"struct triple", "C.struct_triple{C.float(int8(v)), C.float(int8(v >> 8)), C.float(int8(v >> 16))}",
		"MIXF(%[1]s.x); MIXF(%[1]s.y); MIXF(%[1]s.z)", "(struct triple){(signed char)h, 2, (signed char)(h >> 8)}"},
	{"union both", "C.union_both{byte(v), byte(v >> 8), byte(v >> 16), 0}", "MIX(%s.i)", "(union both){.i = (int)h}"},
	{"float _Complex", "C.complexfloat(complex(float32(int8(v)), float32(int8(v>>8))))", "MIXF(__real__ %[1]s); MIXF(__imag__ %[1]s)",
		"(signed char)h + (signed char)(h >> 8) * 1.0fi"},
	{"double _Complex", "C.complexdouble(complex(float64(int32(v)), float64(int32(v>>32))))", "MIXD(__real__ %[1]s); MIXD(__imag__ %[1]s)",
		"(int)h + (int)(h >> 32) * 1.0i"},
}

// Those at the end travel in memory, and before them come structs of two words.
const structTypes, twoWords = 8, 5

// randomHead is the generated file; testdata/random has what is the same in all programs.
const randomHead = `package main

/*
#include "types.h"
%s
*/
import "C"

import "unsafe"

var _ unsafe.Pointer
%s
func main() {
	for i := range cell {
		cell[i] = byte(i * 37)
	}
	var v uint64
	_ = v
	for range 12 {
%s	}
}
`

// randomProgram returns the text of a program with a function for each of the modes.
func randomProgram(random *rand.Rand, modes []string) string {
	var c, calls, exports strings.Builder
	for i, mode := range modes {
		name := fmt.Sprintf("f%d", i)
		var params, folds, args []string
		most, types := 13, cTypes
		if i%2 == 0 { // every other one travels in registers
			most, types = 7, cTypes[:len(cTypes)-structTypes-twoWords]
		}
		for j := range random.IntN(most) {
			t := types[random.IntN(len(types))]
			params = append(params, fmt.Sprintf("%s p%d", t.c, j))
			folds = append(folds, fmt.Sprintf(t.fold+";", fmt.Sprintf("p%d", j)))
			args = append(args, fmt.Sprintf("func(v uint64) %s { return %s }(next())", goType(t.value), t.value))
		}
		if len(params) == 0 {
			params = []string{"void"}
		}
		if i%3 == 0 {
			folds = append([]string{"poll(0, 0, 0);"}, folds...)
		}
		if mode != "fast" && mode != "nocallback" {
			declaration, call, export := randomExport(random, i)
			c.WriteString(declaration)
			exports.WriteString(export)
			folds = append(folds, call)
			if i%6 == 3 {
				folds = append(folds, "poll(0, 0, 0);") // turned when it returns
			}
		}
		result := random.IntN(len(types) + 1)
		if i%6 == 3 { // turned, with all types: two results in registers
			result = len(types) - structTypes - twoWords + i/6%twoWords
		}
		if result == len(types) {
			fmt.Fprintf(&c, "__attribute__((weak)) unsigned long long last%d;\nstatic void %s(%s) { unsigned long long h = %d; %s last%d = h; "+
				"errno = (int)(h & 63); }\n",
				i, name, strings.Join(params, ", "), i, strings.Join(folds, " "), i)
			fmt.Fprintf(&calls, "\t\tC.%s(%s)\n\t\tshow(%q, C.last%d)\n", name, strings.Join(args, ", "), name, i)
			fmt.Fprintf(&calls, "\t\t{ _, err := C.%s(%s); show(%q, C.last%d, err) }\n", name, strings.Join(args, ", "), name, i)
			continue
		}
		r := types[result]
		fmt.Fprintf(&c, "static %s %s(%s) { unsigned long long h = %d; %s errno = (int)(h >> 7 & 63); return %s; }\n",
			r.c, name, strings.Join(params, ", "), i, strings.Join(folds, " "), r.make)
		fmt.Fprintf(&calls, "\t\tshow(%q, C.%s(%s))\n", name, name, strings.Join(args, ", "))
		fmt.Fprintf(&calls, "\t\t{ r, err := C.%s(%s); show(%q, r, err) }\n", name, strings.Join(args, ", "), name)
	}
	return fmt.Sprintf(randomHead, c.String(), exports.String(), calls.String())
}

// randomExport returns a Go function for C to call: its C declaration, a
// statement that calls it with values made from h and folds the result into h,
// and its Go text.
func randomExport(random *rand.Rand, i int) (declaration, call, export string) {
	most, types := 12, cTypes
	if i%2 == 0 {
		most, types = 7, cTypes[:len(cTypes)-structTypes-twoWords]
	}
	var params, goParams, args, names []string
	for j := range random.IntN(most) {
		t := types[random.IntN(len(types))]
		if strings.HasPrefix(t.c, "enum") || strings.HasPrefix(t.c, "const") {
			continue // cgo declares the export with another C type
		}
		params = append(params, fmt.Sprintf("%s p%d", t.c, j))
		goParams = append(goParams, fmt.Sprintf("p%d %s", j, goType(t.value)))
		names = append(names, fmt.Sprintf("p%d", j))
		args = append(args, t.make)
	}
	list := strings.Join(params, ", ")
	if list == "" {
		list = "void"
	}
	shown := strings.Join(append([]string{fmt.Sprintf("%q", fmt.Sprintf("g%d", i))}, names...), ", ")
	r := types[random.IntN(len(types))]
	if strings.HasPrefix(r.c, "enum") || strings.Contains(r.c, "*") || strings.HasPrefix(r.c, "const") {
		return fmt.Sprintf("extern void g%d(%s);\n", i, list), fmt.Sprintf("g%d(%s);", i, strings.Join(args, ", ")),
			fmt.Sprintf("\n//export g%d\nfunc g%d(%s) { show(%s) }\n", i, i, strings.Join(goParams, ", "), shown)
	}
	call = fmt.Sprintf("{ %s r_ = g%d(%s); %s; }", r.c, i, strings.Join(args, ", "), fmt.Sprintf(r.fold, "r_"))
	return fmt.Sprintf("extern %s g%d(%s);\n", r.c, i, list), call,
		fmt.Sprintf("\n//export g%d\nfunc g%d(%s) %s { show(%s); v := next(); return %s }\n", i, i, strings.Join(goParams, ", "),
			goType(r.value), shown, r.value)
}

// goType reads the type off the expression that makes a value.
func goType(value string) string {
	switch {
	case strings.HasPrefix(value, "(*C.char)"):
		return "*C.char"
	case strings.HasPrefix(value, "unsafe.Pointer"):
		return "unsafe.Pointer"
	}
	return value[:strings.IndexAny(value, "({")]
}
