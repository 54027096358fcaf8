package latency

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry"
)

// ProgramPath is the import path of the scenarios.
const ProgramPath = modulePath + "/internal/latency/program"

// RivalsModule holds, in its folder rivals, variants by packages of others.
const RivalsModule = modulePath + "/bench"

const modulePath = "github.com/wherrygo/wherry"

// WriteModule writes the scenarios and what they import into a folder, as a
// module that needs nothing else but the standard library.
func WriteModule(dir string) error {
	write := func(name string, text []byte) error {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return os.WriteFile(name, text, 0o666)
	}
	err := fs.WalkDir(wherry.BenchSources, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := wherry.BenchSources.ReadFile(name)
		if err != nil {
			return err
		}
		return write(name, text)
	})
	if err == nil {
		err = write("go.mod", []byte("module "+modulePath+"\n\ngo 1.24\n"))
	}
	if err != nil {
		return fmt.Errorf("latency: cannot write the scenarios: %w", err)
	}
	return nil
}
