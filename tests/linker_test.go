package tests

import (
	"os"
	"strings"
	"testing"
)

// Which flags its C compiler's linker knows, Go's linker asks at each link. What it was answered
// is kept as long as the compiler is the same (TestKeptFolder: with -a it is asked again), and the
// program is the same as with fresh answers. With each Go: TestBuildsAskOnce.
func TestLinkerAsksOnce(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := smallest(t)
	m.env = append(m.env, unseenByCache(), "GOFLAGS=") // one of the questions is for compressed debug information
	log := withCompiler(t, m)
	asked := func(line, change string) int {
		m.write("change.go", "package main\n\nvar _ = "+change+"\n")
		os.Remove(log)
		m.must(wherry, strings.Fields(line)...)
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), "/trivial.c\n")
	}
	first := asked("build -trimpath -o fresh", "1")
	if first < 3 {
		t.Fatalf("the first link asks %d times, want 3 at least: does Go's linker ask in another way?", first)
	}
	if again := asked("build -trimpath -o other", "2"); again != 0 {
		t.Errorf("the second link asks %d times", again)
	}
	if asked("build -trimpath -o kept", "1"); m.read("kept") != m.read("fresh") {
		t.Error("the program differs where the answers were kept")
	}
	if asked("test .", "3"); asked("test .", "4") != 0 {
		t.Error("the second link of tests asks")
	}
	m.write("bin/gcc", m.read("bin/gcc")+"# another one\n")
	if again := asked("build -trimpath -o other", "5"); again != first {
		t.Errorf("with another compiler: %d questions, want %d", again, first)
	}
	if again := asked("build -trimpath -ldflags=-extldflags=-Wl,-O1 -o other", "6"); again != first {
		t.Errorf("with a flag that nobody knows: %d questions, want %d", again, first)
	}
}
