package accel

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// BuiltTag is the build tag with which package internal/crossing/c leaves its own C out.
const BuiltTag = "wherry_built"

// Settings of the build that a program carries, beside the go command's own: `go version -m`
// prints them, runtime/debug.ReadBuildInfo returns them, and stripping leaves them alone.
const (
	SettingVersion = "wherry"        // wherry's version
	SettingPolicy  = "wherry.policy" // a hash of the rules, and the rules
	SettingFast    = "wherry.fast"   // how many C functions are fast
	SettingCgo     = "wherry.cgo"    // how many are not, and which
)

// described returns the linker's arguments such that the program says how it was built. The
// text stands in a line of the linker's configuration, which the go command wrote. It follows
// from the archives and from what is in the ID, so the go command's key of the executable
// covers it.
func (c *Config) described(args []string) ([]string, error) {
	file := flagValue(args, importConfig)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	lines := strings.Split(string(text), "\n")
	reports, err := c.reports(lines)
	if err == nil {
		err = c.mayRun(lines, reports)
	}
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "modinfo ") })
	if i < 0 { // a build without module information
		return args, nil
	}
	info, err := strconv.Unquote(strings.TrimPrefix(lines[i], "modinfo "))
	if err == nil {
		info, err = c.describe(info, reports)
	}
	if err != nil {
		return nil, fmt.Errorf("accel: %s: %w", file, err)
	}
	lines[i] = "modinfo " + strconv.Quote(info)
	file += ".wherry"
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	return append([]string{importConfig + "=" + file}, without(args, importConfig)...), nil
}

// reports reads those of the packages in the linker's configuration, and notes them.
func (c *Config) reports(lines []string) (found []*Report, err error) {
	for _, file := range c.ownArchives(lines) {
		report, err := ReadReport(file)
		if err != nil {
			return nil, err
		}
		c.noteLinked(file, report)
		if report != nil {
			found = append(found, report)
		}
	}
	return found, nil
}

// packageless are folders of the standard library that are no package, so that a module may have
// their name.
var packageless = []string{"archive", "cmd", "compress", "container", "database", "debug", "go", "index", "internal", "testdata",
	"text", "vendor"}

// IsStandard reports whether a package is the standard library's.
func IsStandard(goroot, path string) bool {
	_, err := os.Stat(filepath.Join(goroot, "src", path))
	return err == nil && !slices.Contains(packageless, path)
}

// ownArchives lists the archives in the linker's configuration that are not the standard library's.
func (c *Config) ownArchives(lines []string) (archives []string) {
	for _, line := range lines {
		pkg, ok := strings.CutPrefix(line, "packagefile ")
		path, file, _ := strings.Cut(pkg, "=")
		if ok && !IsStandard(c.GoRoot, path) {
			archives = append(archives, file)
		}
	}
	return archives
}

// The go command puts module information between two marks of this length, so that it can be
// found in an executable.
const infoMark = 16

// describe returns module information with the settings, and without the tag, which the
// user did not give. A program without C functions gets none.
func (c *Config) describe(info string, reports []*Report) (string, error) {
	if len(info) < 2*infoMark {
		return "", fmt.Errorf("module information of %d bytes, want at least %d", len(info), 2*infoMark)
	}
	end := len(info) - infoMark
	var text strings.Builder
	for line := range strings.Lines(info[infoMark:end]) {
		if tags, ok := strings.CutPrefix(line, "build\t-tags="); ok {
			words := strings.Split(strings.TrimSuffix(tags, "\n"), ",")
			words = slices.DeleteFunc(words, func(word string) bool { return word == BuiltTag })
			if len(words) == 0 {
				continue
			}
			line = "build\t-tags=" + strings.Join(words, ",") + "\n"
		}
		text.WriteString(line)
	}
	var fast int
	var kept []string
	for _, report := range reports {
		fast += len(report.Accelerated)
		for _, f := range report.Kept {
			kept = append(kept, report.Package+"."+f.Name)
		}
	}
	if len(reports) > 0 {
		slices.Sort(kept)
		set := func(key, value string) { fmt.Fprintf(&text, "build\t%s=%s\n", key, setting(value)) }
		set(SettingVersion, c.Version)
		set(SettingPolicy, policyText(c.Rules, c.OnCgo))
		set(SettingFast, strconv.Itoa(fast))
		set(SettingCgo, strings.TrimSpace(fmt.Sprint(len(kept), " ", strings.Join(kept, " "))))
	}
	return info[:infoMark] + text.String() + info[end:], nil
}

// setting quotes a value as package runtime/debug reads it.
func setting(value string) string {
	if strings.ContainsAny(value, " \t\r\n\"`") {
		return strconv.Quote(value)
	}
	return value
}

// policyText is a hash of what a policy says and what it says, or "none".
func policyText(rules []policy.Rule, onCgo bool) string {
	var lines []string
	if onCgo {
		lines = append(lines, "WHERRY_DEFAULT=cgo")
	}
	for _, rule := range rules {
		lines = append(lines, fmt.Sprintf("%s %s %s", rule.Package, rule.Glob, rule.Words()))
	}
	if lines == nil {
		return "none"
	}
	text := strings.Join(lines, "; ")
	return fmt.Sprintf("%.6x %s", sha256.Sum256([]byte(text)), text)
}
