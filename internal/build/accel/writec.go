package accel

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// A cText is what is added to the C files that cgo wrote for a package.
type cText struct {
	config  *Config
	cgo     *cgoCommand
	source  *parsed
	counter *counter
	added   map[string]*strings.Builder // by file
	aligned map[string][]*alignments    // too
}

func (t *cText) add(path, text string) {
	if t.added[path] == nil {
		t.added[path] = new(strings.Builder)
	}
	t.added[path].WriteString(text)
}

// standIn adds to _cgo_main.c. The package's objects are linked once without Go code, to
// find what they import, and what the Go side will define needs a definition there; so do
// cgo's own exports.
func (t *cText) standIn(text string) { t.add(filepath.Join(t.cgo.objdir, "_cgo_main.c"), text) }

// addTwin writes the C side of one call that leaves cgo. An error says why the
// function stays there.
func (t *cText) addTwin(d *decision, f *function) error {
	if t.cgo.unsuitable != "" {
		return fmt.Errorf("the package's C code is compiled with %s", t.cgo.unsuitable)
	}
	if err := t.source.recognize(f); err != nil {
		return err
	}
	w, ok := t.source.wrappers[f.symbol]
	if !ok {
		return errors.New("its generated C wrapper was not found")
	}
	if w.result == "int" && !strings.HasSuffix(w.body, returnsErrno) {
		return errors.New("its generated C wrapper ends in an unknown way")
	}
	if len(f.noCall) > 0 {
		if d.Mode == policy.Reentrant {
			return errors.New("#cgo nocallback says that it never calls back")
		}
		d.NoCallback, d.Promised = true, cgoNoCallback
	}
	sig := t.source.signature(f, t.config.GoArch)
	twin := twinText{f.symbol, w.result, t.counter.twin(d.Function) + w.body, sig}
	t.add(w.path, twin.text())
	if a := t.source.alignments(f, w.body); a != nil {
		t.aligned[w.path] = append(t.aligned[w.path], a)
	}
	d.Symbol, d.Registers = f.symbol, sig != nil
	return nil
}

// cgoNoCallback is who says that a function does not call back, where the package does.
const cgoNoCallback = "#cgo nocallback"

// addAlignments adds what is to be known of the wrappers in a C file. One of several files
// may only declare a struct that another one defines, while cgo's Go types are those of all;
// so the compiler is asked then, and a file in which it finds one says nothing.
func (t *cText) addAlignments(path string, list []*alignments) {
	var text strings.Builder
	ask := false
	for _, a := range list {
		text.WriteString(write("alignments", a))
		ask = ask || a.structs
	}
	if ask && len(inFolder(t.cgo.objdir, "*.cgo2.c")) > 1 && !t.compiles(path, text.String()) {
		return
	}
	t.add(path, text.String())
}

// compiles reports whether a C file that cgo wrote compiles with a text at its end.
func (t *cText) compiles(path, more string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	file := filepath.Join(t.cgo.objdir, "wherry_complete.c")
	if os.WriteFile(file, append(text, more...), 0o666) != nil {
		return false
	}
	defer os.Remove(file)
	command := slices.Concat(t.config.CC, t.cgo.cflags, []string{"-fsyntax-only", "-w", file})
	return exec.Command(command[0], command[1:]...).Run() == nil
}

// finish adds what is not about a single call, and writes the files.
func (t *cText) finish(p *plan) error {
	side, err := t.config.redirectExports(t.cgo.objdir, t.source.gotypes, t.cgo.unsuitable == "", t.counter)
	if err != nil {
		return err
	}
	if side == nil && len(t.source.exported()) > 0 {
		p.Warnings = append(p.Warnings, fmt.Sprintf("cgo of %s wrote exported functions in a way that wherry does not know: "+
			"reentrant functions, of any package, must not call those of %s", t.config.GoVersion, t.cgo.importPath))
	}
	if p.Counted, err = t.counter.write(); err != nil {
		return err
	}
	p.Warnings = append(p.Warnings, t.counter.warnings...)
	if p.Counted {
		t.standIn(stat.StandIns)
	}
	if side != nil {
		p.Exports, p.Exported, p.Callbacks = true, side.goFunctions.String(), side.callbacks
		t.standIn(write("stand-ins", nil) + side.standIns.String())
	}
	for path, list := range t.aligned {
		t.addAlignments(path, list)
	}
	for path, text := range t.added {
		if err := appendTo(path, text.String()); err != nil {
			return err
		}
	}
	return nil
}

func appendTo(path, text string) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// inFolder returns the files of a folder that match a well-formed pattern.
func inFolder(dir, pattern string) []string {
	literal := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
	files, _ := filepath.Glob(filepath.Join(literal, pattern))
	return files
}
