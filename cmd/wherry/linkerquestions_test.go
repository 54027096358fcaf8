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

// A failure is an answer only where it is the flag that is not known.
func TestRefusedFlags(t *testing.T) {
	c := &compilation{args: strings.Fields("-m64 -o a.out -Wl,--no-insert-timestamp -no-pie trivial.c")}
	for messages, want := range map[string]bool{
		"gcc: error: unrecognized command-line option '-no-pie'; did you mean '-nopie'?\n":                              true,
		"/usr/bin/ld: unrecognized option '--no-insert-timestamp'\n/usr/bin/ld: use the --help option\n":                true,
		"clang: error: unknown argument: '-no-pie'\n":                                                                   true,
		"ld.lld: error: unknown argument '--no-insert-timestamp'\n":                                                     true,
		"/x86_64-unknown-linux-gnu/bin/ld: cannot write: No space left on device\n":                                     false,
		"/tools/x86_64-unknown-linux-gnu/bin/ld: an unknown error\n/usr/bin/ld: cannot make -no-pie\n":                  false,
		"/tmp/unknown place/ld: final link failed: No space left on device\ncollect2: error: ld returned 1 exit status": false,
	} {
		if got := c.refused(messages); got != want {
			t.Errorf("%q: got %v, want %v", messages, got, want)
		}
	}
}
