package accel

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// linkedFile is beside the configuration: the reports of the program that was linked last.
const linkedFile = "linked.json"

// linkedReports reads the reports of the packages in the linker's configuration that are not
// the standard library's, and leaves them for Linked, unless one says nothing though it uses
// cgo, or the program opens plugins: what to do about that is not decided here.
func (c *Config) linkedReports(lines []string) (reports []*Report, err error) {
	whole := true
	for _, line := range lines {
		pkg, ok := strings.CutPrefix(line, "packagefile ")
		path, file, _ := strings.Cut(pkg, "=")
		whole = whole && path != "plugin"
		if _, err := os.Stat(filepath.Join(c.GoRoot, "src", path)); !ok || err == nil {
			continue
		}
		report, err := ReadReport(file)
		if err != nil {
			return nil, err
		}
		if report != nil {
			reports = append(reports, report)
		} else if uses, err := hasC(file); uses || err != nil {
			whole = false
		}
	}
	if !whole {
		return reports, nil
	}
	text, err := json.Marshal(reports)
	if err == nil {
		err = os.WriteFile(filepath.Join(c.dir, linkedFile), text, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return reports, nil
}

// Linked returns the reports of the program that was linked last by the configuration in a
// folder, if that is known.
func Linked(dir string) (reports []*Report, ok bool) {
	text, err := os.ReadFile(filepath.Join(dir, linkedFile))
	return reports, err == nil && json.Unmarshal(text, &reports) == nil
}

// hasC reports whether an archive has an object of a C compiler, which the go command gives
// such a name.
func hasC(archive string) (has bool, err error) {
	file, err := os.Open(archive)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	err = eachMember(file, info.Size(), func(head []byte, _ *io.SectionReader) bool {
		has = has || strings.HasPrefix(string(head), "_x") || strings.HasPrefix(string(head), "_cgo")
		return !has
	})
	return has, err
}
