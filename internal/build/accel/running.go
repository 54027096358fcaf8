package accel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// FrontsVariable names the folder in which the C compilers' names lead to wherry and, behind a
// colon, the build's own.
const FrontsVariable = "WHERRY_COMPILERS"

// useFronts has the tool that this process becomes find them, where the go command does not because
// the programs that it runs have the user's PATH.
func (c *Config) useFronts() {
	if c.Fronts != "" && os.Getenv(FrontsVariable) == "" {
		os.Setenv("PATH", c.Fronts+string(filepath.ListSeparator)+os.Getenv("PATH"))
		os.Setenv(FrontsVariable, c.Fronts+string(filepath.ListSeparator)+c.dir)
	}
}

// passFronts has the tool that this process becomes find the compilers themselves.
func (c *Config) passFronts() {
	if rest, ok := strings.CutPrefix(os.Getenv("PATH"), c.Fronts+string(filepath.ListSeparator)); ok && c.Fronts != "" {
		os.Setenv("PATH", rest)
		os.Unsetenv(FrontsVariable)
	}
}

// A go command that runs what it has linked leaves no time to look at the packages in between. So
// if this mark is beside the configuration, link refuses what wherry would not let run, and leaves
// the other mark.
const runMark, refusedMark = "runs", "refused"

// BeforeRun has links by the configuration in a folder refuse such programs.
func BeforeRun(dir string) error { return os.WriteFile(filepath.Join(dir, runMark), nil, 0o666) }

// Refused reports whether one was refused, and that from now on none is.
func Refused(dir string) bool {
	os.Remove(filepath.Join(dir, runMark))
	return os.Remove(filepath.Join(dir, refusedMark)) == nil
}

// mayRun refuses a program of packages that were built with shared libraries that are others now,
// and one that opens plugins.
func (c *Config) mayRun(lines []string, reports []*Report) error {
	if _, err := os.Stat(filepath.Join(c.dir, runMark)); err != nil {
		return nil
	}
	why := ""
	for _, report := range reports {
		for _, l := range report.Changed() {
			why = fmt.Sprintf("%s was built with another %s", report.Package, filepath.Base(l.Path))
		}
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "packagefile plugin=") {
			why = "plugin opens libraries that were built without wherry"
		}
	}
	if why == "" {
		return nil
	}
	if err := os.WriteFile(filepath.Join(c.dir, refusedMark), nil, 0o666); err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return fmt.Errorf("%s, so the tests are built again", why)
}
