package tests

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const clearLine = "\r\x1b[K"

// onTerminal runs wherry in a terminal, and returns what is written to that.
func (m *module) onTerminal(line string) string {
	m.t.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		m.t.Skip("needs script, of util-linux")
	}
	return strings.ReplaceAll(m.must("script", "-qec", "'"+wherry+"' "+line, os.DevNull).stdout, "\r\n", "\n")
}

// On a terminal a line says what a long build is at, and is gone when it ends. Messages stand
// above it. Without a terminal, and where the go command says what it does, there is none.
func TestProgress(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "slow")
	m.must("chmod", "+x", m.path("bin/slowcc"))
	m.env = []string{"PATH=" + m.path("bin") + ":" + os.Getenv("PATH"), "CC=slowcc", "TERM=xterm", "GOCACHE=" + t.TempDir()}
	first := m.onTerminal("build -o program")
	line := first
	for _, want := range []string{" s: looking into the runtime of go", "slowcc slow.c", "C functions are fast"} {
		_, rest, ok := strings.Cut(line, want)
		if !ok {
			t.Errorf("want %q behind what comes before it, in\n%q", want, first)
			break
		}
		line = rest
	}
	shown := strings.Split(first, clearLine)
	for _, text := range shown[:len(shown)-1] {
		if strings.Contains(text, "\n") && !strings.HasSuffix(text, "\n") {
			t.Errorf("a line is not rewritten in place: %q", text)
		}
	}
	if last := shown[len(shown)-1]; !strings.HasPrefix(last, "wherry: ") || strings.Count(last, "\n") != 1 {
		t.Errorf("what is left at the end: %q", last)
	}
	for _, line := range []string{"build -x -o program", "build -v -o program", "build -n -a", "build -o program"} {
		if strings.Contains(line, "-x") || strings.Contains(line, "-v") { // the last one is short
			m.write("slow.c", "int number(void) { return sizeof(\""+line+"\"); }\n")
		}
		if got := m.onTerminal(line); strings.Contains(got, "\x1b[K") {
			t.Errorf("%s: shows a line: %q", line, got)
		}
	}
	m.write("slow.c", "int number(void) { return 2; }\n")
	if got := m.must(wherry, "build", "-o", "program").stderr; strings.Contains(got, "\x1b") || strings.Contains(got, " s: ") {
		t.Errorf("without a terminal: %q", got)
	}
	m.replace("slow.c", "2", "3")
	m.env = append(m.env, "TERM=dumb")
	if got := m.onTerminal("build -o program"); strings.Contains(got, "\x1b") {
		t.Errorf("on a terminal that can do nothing: %q", got)
	}
	m.env = append(m.env, "TERM=xterm")
	m.replace("slow.c", "3", "mistaken")
	got := m.run("script", "-qec", "'"+wherry+"' build", os.DevNull)
	if got.status != 1 || !strings.Contains(got.stdout, clearLine+"# example.com/m\r\n") {
		t.Errorf("a mistake: got exit status %d, and not the line taken away before the message: %q", got.status, got.stdout)
	}
}
