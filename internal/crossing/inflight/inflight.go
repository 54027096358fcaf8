// Package inflight holds the C side of calls in flight, which is compiled into each
// package that calls C: the state of threads and calls, C stacks, turning, the
// signal handler; and the functions of the C library that may block, which the program
// defines. Where the assembly of package enter finds the fields stands here.
package inflight

import (
	"embed"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/stat"
	"github.com/wherrygo/wherry/internal/goruntime"
)

//go:embed c/*.c
var sources embed.FS

// layout ties the names that the assembly uses to the C source.
var layout = []struct {
	name   string
	offset int64 // bytes
	c      string
}{
	{"REC_GOSP", 0, "offsetof(record, go_sp)"},
	{"REC_GOFP", 8, "offsetof(record, go_fp)"},
	{"REC_GOLR", 16, "offsetof(record, go_lr)"},
	{"REC_G", 24, "offsetof(record, g)"},
	{"REC_CSP", 32, "offsetof(record, c_sp)"},
	{"REC_DEEPER", 40, "offsetof(record, deeper)"},
	{"REC_OUTER", 48, "offsetof(record, outer)"},
	{"REC_SYSTEM", 56, "offsetof(record, system)"},
	{"REC_CONTINUE", 72, "offsetof(record, go_on)"},
	{"REC_ORDER", 80, "offsetof(record, order)"},
	{"REC_CALL", 88, "offsetof(record, call)"},
	{"REC_SURPLUS", 96, "offsetof(record, surplus)"},
	{"REC_FROM", 104, "offsetof(record, from)"},
	{"REC_SPAN", 112, "offsetof(record, span)"},
	{"REC_SIZE", 128, "sizeof(record)"},
	{"THREAD_ACTIVE", 0, "offsetof(thread, active)"},
	{"THREAD_HANDLER", 32, "offsetof(thread, handler_sp)"},
	{"THREAD_LENT", 256, "offsetof(thread, lent)"},
	{"THREAD_LENTSP", 384, "offsetof(thread, lent_sp)"},
	{"CALL_TARGET", 8, "offsetof(call, target)"},
	{"CALL_TWIN", 16, "offsetof(call, twin)"},
	{"CALL_ORDER", 44, "offsetof(call, order)"},
	{"CALL_TURNS", 48, "offsetof(call, turns)"},
	{"CALL_BYCGO", 56, "offsetof(call, by_cgo)"},
	{"CALL_PATIENCE", 76, "offsetof(call, patience)"},
	{"CALL_WAITED", 80, "offsetof(call, waited)"},
	{"CALL_OFF", 112, "offsetof(call, off)"},
	{"CALL_SIZE", 128, "sizeof(call)"},
}

// Layout returns the offsets of C's structs by the names that the assembly uses.
func Layout() map[string]int64 {
	offsets := map[string]int64{}
	for _, field := range layout {
		offsets[field.name] = field.offset
	}
	return offsets
}

// InFlight is what g.throwsplit holds while C runs in a call that has not been
// turned. The runtime stores 0 and 1 there, and reads anything odd as true.
const InFlight = 3

// frames says how the assembly's Go functions lay out their frames: how far from
// the stack pointer of _wherry_turned the Go caller's is, and how far below that a
// callback puts its runtime._defer. Both are checked while the program runs.
var frames = map[string]struct{ turned, deferBelow int64 }{
	"amd64": {184, 64},
	"arm64": {224, 80},
}

// Names returns the offsets of C's structs, and constants, by the names that the assembly
// uses; those of the runtime's come beside them.
func Names(goarch string) map[string]int64 {
	names := Layout()
	maps.Copy(names, map[string]int64{"IN_FLIGHT": InFlight, "TURNED_FRAME": frames[goarch].turned, "DEFER_BELOW": frames[goarch].deferBelow})
	return names
}

// MaxSize is the largest C stack that can be asked for, in bytes.
const MaxSize = 1 << 30

// Order is the size class of a C stack of at least so many bytes: its size's
// power of two. 0 bytes is the class of the default.
func Order(size int64) int {
	if size == 0 {
		return 0
	}
	return bits.Len64(uint64(size - 1))
}

// A Target says what a program is made for.
type Target struct {
	GOARCH  string
	Offsets goruntime.Offsets
	Static  bool // nothing stands before the C library's functions
	Wraps   bool // C's own calls of crosscall2 come to wherry
	Counts  bool // for wherry stat
	Hidden  bool // a library for a host of its own, whose functions are left alone
}

// Plain returns the text for programs that the plain go command builds, for all
// architectures: package turning has it, and zoffsets.h.
func Plain() (string, error) {
	var text strings.Builder
	text.WriteString("#define PLAIN 1\n#include \"zoffsets.h\"\n")
	for _, goarch := range slices.Sorted(maps.Keys(frames)) {
		fmt.Fprintf(&text, "#if %s\n", predefined[goarch])
		architecture(&text, goarch)
		text.WriteString("#endif\n")
	}
	err := body(&text)
	return text.String(), err
}

// predefined are conditions of C's preprocessor.
var predefined = map[string]string{"amd64": "defined(__x86_64__)", "arm64": "defined(__aarch64__)"}

// Lends reports whether C threads that call Go lend their P. Only where all functions that
// may block are known can C give it back; and such a thread must not enter Go in a way
// that does not know of calls in flight.
func (t Target) Lends() bool { return t.Wraps && !t.Static && !t.Hidden }

// Source returns the C text. It includes only system headers, and does not compile
// where an offset is not as Names says.
func (t Target) Source() (string, error) {
	var text strings.Builder
	text.WriteString(t.Offsets.Header(""))
	architecture(&text, t.GOARCH)
	if t.Counts {
		text.WriteString("#define COUNTS 1\n" + stat.Declaration + stat.CountLends("_wherry_lends"))
	}
	if !t.Static {
		text.WriteString("#define INTERPOSES 1\n")
	}
	if t.Lends() {
		text.WriteString("#define LENDS 1\n")
	}
	err := body(&text)
	return text.String(), err
}

// architecture writes what depends on the architecture.
func architecture(text *strings.Builder, goarch string) {
	fmt.Fprintf(text, "#define RETURN_ADDRESS %d\n#define TURNED_FRAME %d\n", map[string]int{"amd64": 8, "arm64": 0}[goarch],
		frames[goarch].turned)
}

// body writes what is the same in all programs.
func body(text *strings.Builder) error {
	for _, c := range []struct {
		name  string
		value int
	}{{"IN_FLIGHT", InFlight}, {"NO_CALLBACK", int(abi.NoCallback)}, {"MAY_SWITCH", int(abi.MaySwitch)},
		{"BY_USER", int(abi.ByUser)}, {"OWN_STACK", int(abi.OwnStack)}, {"ALWAYS", int(abi.Always)}} {
		fmt.Fprintf(text, "#define %s %d\n", c.name, c.value)
	}
	for _, file := range []string{"stacks.c", "faults.c", "learn.c", "turn.c", "rule.c", "lend.c", "handlers.c", "bind.c",
		"block.c", "signal.c"} {
		source, err := sources.ReadFile("c/" + file)
		if err != nil {
			return fmt.Errorf("inflight: %w", err)
		}
		text.Write(source)
	}
	for _, field := range layout {
		fmt.Fprintf(text, "_Static_assert(%s == %d, %q);\n", field.c, field.offset, field.name)
	}
	return nil
}
