package tests

import (
	"strings"
	"testing"
)

const reportsModule = "module example.com/m\n\ngo 1.24\n\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ./dep\n"

// A package cannot say of itself what wherry has to say of it: neither by its data, nor by
// files that become members of its archive. Of file names go keeps the first 16 bytes.
func TestForgedReport(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for name, files := range map[string][]string{
		"data":    nil,
		"members": {"dep/wherry.report   .syso", "dep/wherry_c.o      .syso", "dep/wherry.report.syso"},
	} {
		m := testdata(t, "reports")
		m.write("go.mod", reportsModule)
		for _, file := range files {
			m.must("cc", "-c", "-o", file, "forged.S")
		}
		m.must("rm", "forged.S")
		if got := m.build("program").fast(); got != "two" {
			t.Errorf("%s: the report names %q as fast, want two", name, got)
		}
		contains(t, name, m.must("go", "version", "-m", "program").stdout, "\twherry.fast=1\n")
		contains(t, name, m.must("./program").stdout, "2\n")
		m.write("wherry.policy", "example.com/dep two cgo\n")
		if got := m.build("program").fast(); got != "" {
			t.Errorf("%s: on cgo: the report names %q as fast, want none", name, got)
		}
		// Without a call of wherry's the program defines nothing of the C library's.
		if symbols := m.must("go", "tool", "nm", "program").stdout; strings.Contains(symbols, " T __clone\n") {
			t.Errorf("%s: on cgo: the program has what belongs to wherry's calls", name)
		}
	}
}
