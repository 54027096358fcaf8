package accel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	if err := f.recognize(); err != nil {
		return err
	}
	w, ok := t.source.wrappers[f.symbol]
	if !ok {
		return errors.New("its generated C wrapper was not found")
	}
	if len(f.noCall) > 0 {
		if d.Mode == policy.Reentrant {
			return errors.New("#cgo nocallback says that it never calls back")
		}
		d.NoCallback, d.Promised = true, "#cgo nocallback"
	}
	sig := t.source.signature(f, t.config.GoArch)
	twin := twinText{f.symbol, w.result, t.counter.twin(d.Function) + w.body, sig}
	t.add(w.path, twin.text())
	d.Symbol, d.Registers = f.symbol, sig != nil
	return nil
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
		p.Exports, p.Exported = true, side.goFunctions.String()
		t.standIn(write("stand-ins", nil) + side.standIns.String())
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
