package accel

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// linkedFile is beside the configuration: the reports of the program that was linked last.
const linkedFile = "linked.json"

// linkedReports reads the reports of the packages in the linker's configuration that are not
// the standard library's, and leaves them for Linked, unless one says nothing though it uses
// cgo, or the program opens plugins: what to do about that is not decided here.
func (c *Config) linkedReports(lines []string) (reports []*Report, err error) {
	whole := !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "packagefile plugin=") })
	for _, file := range c.ownArchives(lines) {
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

// ownArchives lists the archives in the linker's configuration that are not the standard library's.
func (c *Config) ownArchives(lines []string) (archives []string) {
	for _, line := range lines {
		pkg, ok := strings.CutPrefix(line, "packagefile ")
		path, file, _ := strings.Cut(pkg, "=")
		if _, err := os.Stat(filepath.Join(c.GoRoot, "src", path)); ok && err != nil {
			archives = append(archives, file)
		}
	}
	return archives
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
	err = membersOf(archive, func(head []byte, _ *io.SectionReader) bool {
		has = has || strings.HasPrefix(string(head), "_x") || strings.HasPrefix(string(head), "_cgo")
		return !has
	})
	return has, err
}

// membersOf visits those of an archive until visit returns false.
func membersOf(archive string, visit func(head []byte, content *io.SectionReader) bool) error {
	file, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return eachMember(file, info.Size(), visit)
}
