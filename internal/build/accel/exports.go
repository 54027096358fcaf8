package accel

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/enter"
)

// The functions that cgo writes into _cgo_export.c, with which C calls the
// package's exported Go functions, are redirected: on a C stack they take
// wherry's way. Where all values are scalars they pass them in registers to a
// Go function added here; otherwise they fill cgo's frame and crosscall2 is
// replaced. All other threads find everything as cgo wrote it.

// exportsAnchor is the line of _cgo_export.c after which nothing more is
// declared and the functions begin.
const exportsAnchor = "extern void _cgo_release_context(size_t);\n"

// threadDeclaration makes the thread's data known to C text (internal/crossing/inflight).
const threadDeclaration = `
#ifndef _WHERRY_THREAD
#define _WHERRY_THREAD
extern __thread struct { void **_wherry_active; } _wherry_thread __attribute__((__visibility__("hidden"), __tls_model__("initial-exec")));
#endif
`

var exportsHead = unmacroed(threadDeclaration+`
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
extern void _wherry_crosscall(void (*)(void *), void *, int) __attribute__((__visibility__("hidden")));
`) + `
#define crosscall2(fn, frame, size, context) _wherry_crosscall(fn, frame, size)
#define _cgo_wait_runtime_init_done() 0
#define _cgo_release_context(context) ((void)(context))
`

// unitStandIns satisfy the link that only looks for imports.
const unitStandIns = "__thread void *_wherry_thread[128];\nvoid _wherry_crosscall(void) {}\nvoid _wherry_turned_callback(void) {}\n"

// exportPattern finds the head of one function in _cgo_export.c.
var exportPattern = regexp.MustCompile(`extern void (_cgoexp_[0-9a-f]+_\w+)\(void \*\);\n\nCGO_NO_SANITIZE_THREAD\n([\w \*]+[ \*])(\w+)\(([\w \*,]*)\)\n\{\n`)

// parameterPattern finds the name in one parameter of it.
var parameterPattern = regexp.MustCompile(`^[\w \*]*[ \*](\w+)$`)

// redirectExports edits _cgo_export.c, and gives the Go functions to add and
// their stand-ins. It reports whether there are exports at all. The way through
// registers needs assembly in that file, which not all C flags allow.
func (c *Config) redirectExports(objdir string, g *gotypes, registers bool, counter *counter) (goText, standIns string, found bool, err error) {
	path := filepath.Join(objdir, "_cgo_export.c")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", false, nil // a shape that wherry does not know: nothing is redirected
	}
	before, after, ok := strings.Cut(string(text), exportsAnchor)
	if !ok || !strings.Contains(after, "\tcrosscall2(") {
		return "", "", false, nil
	}
	var goFunctions, assembly, ins strings.Builder
	counter.exports(path, after)
	after = exportPattern.ReplaceAllStringFunc(after, func(head string) string {
		m := exportPattern.FindStringSubmatch(head)
		head += counter.callback(m[3])
		e := g.export(m[1], c.GoArch)
		names, ok := parameterNames(m[4])
		if e == nil || !ok || !registers || len(names) != len(e.signature.params) || (strings.TrimSpace(m[2]) == "void") != (len(e.signature.results) == 0) {
			return head
		}
		lines, err := enter.Callback{Symbol: e.symbol("callback"), Target: e.symbol("exported"), Integers: e.signature.integers()}.Assembly(c.GoArch, c.Offsets)
		if err != nil {
			return head
		}
		assembly.WriteString(unmacroed(asm(lines)))
		goFunctions.WriteString(e.goFunction())
		fmt.Fprintf(&ins, "void %s(void) {}\n", e.symbol("exported"))
		return e.cHead(head, strings.TrimSpace(m[2]), m[4], names, c.target())
	})
	after += assembly.String()
	return goFunctions.String(), ins.String(), true, os.WriteFile(path, []byte(before+exportsAnchor+exportsHead+counter.declaration()+after), 0o666)
}

func parameterNames(list string) (names []string, ok bool) {
	if list == "" || list == "void" {
		return nil, true
	}
	for _, parameter := range strings.Split(list, ",") {
		m := parameterPattern.FindStringSubmatch(strings.TrimSpace(parameter))
		if m == nil {
			return nil, false
		}
		names = append(names, m[1])
	}
	return names, true
}
