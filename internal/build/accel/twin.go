package accel

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// For each function that leaves cgo wherry adds a twin to the C file that holds
// cgo's wrapper: the wrapper's own body once more, so that it means the same.
// Where all values are scalars it takes them in registers; gcc sees through the
// frame on C's stack and leaves nothing of it. The body is no function of its own:
// where one is inlined gcc may drop a call that it takes for one without effects, such
// as that of a function that always faults. Otherwise it takes the address of
// cgo's frame on the goroutine's stack. Only a callback can move that stack, so there
// are two: one asks the runtime where it is, as cgo's wrapper does, the other not.
// Which is called is known when the package's code has been read.

// wrapperPattern finds the wrappers in a C file that cgo wrote. Their text is
// one function at the left margin; the body between the braces is not read.
var wrapperPattern = pattern(`(?m)^(?:CGO_NO_SANITIZE_THREAD\n)?(void|int)[ \n]` +
	`(_cgo_[0-9a-f]+_(?:Cfunc|C2func|Cmacro)_\w+)\(void \*v\)(?:\n| )\{\n((?:[^}\n].*\n|\n)*)\}\n`)

// How a wrapper ends that returns errno.
const returnsErrno = "\treturn _cgo_errno;\n"

// A wrapper is the text of one of cgo's wrappers in a C file.
type wrapper struct {
	path   string // of the file
	head   string // up to its opening brace
	result string // void or int
	body   string // between the braces
}

// readWrappers finds all wrappers that cgo wrote for a package, by their symbols.
func readWrappers(objdir string) map[string]wrapper {
	found := map[string]wrapper{}
	for _, path := range append(inFolder(objdir, "*.cgo2.c"), filepath.Join(objdir, "_cgo_export.c")) {
		if text, err := os.ReadFile(path); err == nil {
			findWrappers(path, string(text), found)
		}
	}
	return found
}

func findWrappers(path, text string, found map[string]wrapper) {
	for _, m := range wrapperPattern().FindAllStringSubmatch(text, -1) {
		found[m[2]] = wrapper{path, strings.TrimSuffix(m[0], m[3]+"}\n"), m[1], m[3]}
	}
}

// Names of what is added for a wrapper, which debuggers show: the stub; the Go functions that
// it goes to, to be preempted and to make the call through cgo; the twin, and the one for a
// frame that stays where it is.
func stubSymbol(wrapper string) string  { return "_wherry_call" + strings.TrimPrefix(wrapper, "_cgo") }
func yieldSymbol(wrapper string) string { return "_wherry_yield" + strings.TrimPrefix(wrapper, "_cgo") }
func cgoSymbol(wrapper string) string   { return "_wherry_cgo" + strings.TrimPrefix(wrapper, "_cgo") }
func twinSymbol(wrapper string) string  { return "_wherry_twin" + strings.TrimPrefix(wrapper, "_cgo") }
func frameSymbol(wrapper string) string { return "_wherry_frame" + strings.TrimPrefix(wrapper, "_cgo") }

// A twinText is what the templates of twin.c.tpl are about.
type twinText struct {
	symbol, result, body string // of the wrapper
	*signature
}

// A cFunction takes the address of cgo's frame.
type cFunction struct{ Result, Name, Body string }

// Twin is what the stub calls; Framed the one that does not ask where the frame is.
func (t *twinText) Twin() cFunction { return cFunction{t.result, twinSymbol(t.symbol), t.body} }

func (t *twinText) Framed() cFunction { return cFunction{t.result, frameSymbol(t.symbol), t.body} }

// Inside is the body where it does not return: at its end errno is in a variable.
func (t *twinText) Inside() string {
	body, returns := strings.CutSuffix(t.body, returnsErrno)
	if !returns {
		return body
	}
	return body + "\t_wherry_errno_is = _cgo_errno;\n"
}

// FrameSize is that of the frame on C's stack.
func (t *twinText) FrameSize() int64 { return max(t.Size, wordSize) }

// Results lists the results, with errno as one that has no path.
func (t *twinText) Results() []part {
	if !t.Errno {
		return t.signature.Results
	}
	return append(slices.Clone(t.signature.Results), part{Value: value{Size: wordSize}})
}

// Returns is the twin's C type. A struct of two is returned in the registers that Go
// takes two results from.
func (t *twinText) Returns() string {
	switch results := t.Results(); len(results) {
	case 0:
		return "void"
	case 1:
		return carrier(results[0].Value)
	}
	return "_wherry_results" + strings.TrimPrefix(t.symbol, "_cgo")
}

// text is the C text of the twin, or of both.
func (t *twinText) text() string {
	if t.signature == nil {
		return write("frame twins", t)
	}
	return write("register twin", t)
}

func carrier(v value) string {
	if v.Float && v.Size == 4 {
		return "float"
	}
	return wide(v)
}

// wide is the type of a whole register. Two floats in a struct would share one.
func wide(v value) string {
	if v.Float {
		return "double"
	}
	return "unsigned long long"
}
