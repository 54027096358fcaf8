package accel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

// The functions that cgo writes into _cgo_export.c, with which C calls the
// package's exported Go functions, are redirected: on a C stack they take
// wherry's way. Where all values are scalars the function that C calls is assembly, which passes
// them in registers to a Go function added here, and cgo's text, under another name, is where
// it goes from elsewhere; otherwise that fills cgo's frame. In both crosscall2 is replaced. So it
// is on a thread that holds its P; from all others C comes in as cgo wrote it, but for what
// looks first whether the thread should hold its P from now on. For wherry stat all are cgo's
// text, which counts. The C text is in export.c.tpl.

// exportsAnchor is the line of _cgo_export.c after which nothing more is
// declared and the functions begin.
const exportsAnchor = "extern void _cgo_release_context(size_t);\n"

// exportPattern finds the head of one function in _cgo_export.c.
var exportPattern = pattern(`extern void (_cgoexp_[0-9a-f]+_\w+)\(void \*\);\n\nCGO_NO_SANITIZE_THREAD\n` +
	`([\w \*]+[ \*])(\w+)\(([\w \*,]*)\)\n\{\n`)

// parameterPattern finds the name in one parameter of it.
var parameterPattern = pattern(`^[\w \*]*[ \*](\w+)$`)

// An exportSide is what is added to a package for its exported functions.
type exportSide struct {
	goFunctions strings.Builder
	callbacks   []crossing.Callback
	standIns    strings.Builder // for the link that only looks for imports
}

// redirectExports edits _cgo_export.c. It returns nil if the package exports nothing, or
// in a way that is not known.
func (c *Config) redirectExports(objdir string, g *gotypes, registers bool, counter *counter) (*exportSide, error) {
	path := filepath.Join(objdir, "_cgo_export.c")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil
	}
	before, after, ok := strings.Cut(string(text), exportsAnchor)
	if !ok || !strings.Contains(after, "\tcrosscall2(") {
		return nil, nil
	}
	counter.exports(after)
	side := new(exportSide)
	after = exportPattern().ReplaceAllStringFunc(after, func(head string) string {
		m := exportPattern().FindStringSubmatch(head)
		text := &exportText{export: g.export(m[1], c.GoArch), Result: strings.TrimSpace(m[2]), Name: m[3], Params: m[4]}
		if registers && !c.Count && text.export != nil && side.redirect(text) {
			text.Before = strings.TrimSuffix(head, m[3]+"("+m[4]+")\n{\n")
			return write("export", text)
		}
		return head + counter.callback(m[3])
	})
	edited := before + exportsAnchor + write("exports head", nil) + counter.declaration() + after
	if err := os.WriteFile(path, []byte(edited), 0o666); err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return side, nil
}

// redirect adds the way through registers of one function, and reports whether it has
// one.
func (side *exportSide) redirect(text *exportText) (ok bool) {
	sig := &text.signature
	if text.Names, ok = parameterNames(text.Params); !ok || len(text.Names) != len(sig.Params) ||
		(text.Result == "void") != (len(sig.Results) == 0) {
		return false
	}
	side.callbacks = append(side.callbacks, crossing.Callback{Symbol: text.Callback(), Target: text.symbol("exported"),
		Slow: text.Slow(), Integers: sig.integers()})
	side.goFunctions.WriteString(text.goFunction())
	side.standIns.WriteString(write("stand-in", text))
	return true
}

func parameterNames(list string) (names []string, ok bool) {
	if list == "" || list == "void" {
		return nil, true
	}
	for _, parameter := range strings.Split(list, ",") {
		m := parameterPattern().FindStringSubmatch(strings.TrimSpace(parameter))
		if m == nil {
			return nil, false
		}
		names = append(names, m[1])
	}
	return names, true
}
