package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is kept of the linker's questions has flags that read no file, and the program of nothing.
func TestAsksLinker(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "trivial.c"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(trivialProgram)
	for line, want := range map[string]bool{
		"-m64 -o DIR/a.out -no-pie DIR/trivial.c":                                     true,
		"-o DIR/a.out -Qunused-arguments DIR/trivial.c":                               true,
		"-m64 -Wl,--wrap=crosscall2 -o DIR/a.out -Wl,--build-id=0x12 DIR/trivial.c":   false,
		"-m64 -Wl,-T,script -o DIR/a.out -no-pie DIR/trivial.c":                       false,
		"-fuse-ld=gold -o DIR/a.out -no-pie DIR/trivial.c":                            false,
		"-B. -o DIR/a.out -no-pie DIR/trivial.c":                                      false,
		"-o DIR/a.out @response DIR/trivial.c":                                        false,
		"-o a.out -no-pie DIR/trivial.c":                                              false,
		"-o a.out -no-pie trivial.c":                                                  false,
		"-o DIR/a.out -no-pie DIR/other.c":                                            false,
		"-o DIR/a.out -no-pie DIR/trivial.c -c":                                       false,
		"-no-pie DIR/trivial.c -o":                                                    false,
		"":                                                                            false,
		"-o DIR/a.out DIR/trivial.c DIR/trivial.c":                                    false,
		"-o DIR/a.out -Wl,--wrap=crosscall2 -Wl,--wrap=other -no-pie DIR/trivial.c":   false,
		"-o DIR/a.out -Wl,--wrap=crosscall2 -Wl,--eh-frame-hdr -no-pie DIR/trivial.c": true,
	} {
		c := &compilation{args: strings.Fields(strings.ReplaceAll(line, "DIR", dir))}
		if got := c.asksLinker(); got != want {
			t.Errorf("%s: got %v, want %v", line, got, want)
		}
	}
	write("int main() { return 1; }")
	if c := (&compilation{args: []string{"-o", dir + "/a.out", "-no-pie", dir + "/trivial.c"}}); c.asksLinker() {
		t.Error("another program is taken for the linker's")
	}
}
