//go:build linux && cgo && (amd64 || arm64)

package event

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compile builds a C program of testdata.
func compile(t *testing.T, compiler string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not installed (script/bootstrap installs it)", compiler)
	}
	program := filepath.Join(t.TempDir(), "program")
	args = append([]string{"-I.", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", program}, args...)
	output, err := exec.Command(compiler, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", compiler, args, err, output)
	}
	return program
}

// The header compiles as strict C99 and C++17, and needs no library.
func TestHeaderCompiles(t *testing.T) {
	for compiler, args := range map[string][]string{
		"gcc": {"-std=c99", "-x", "c"}, "clang": {"-std=c99", "-x", "c"},
		"g++": {"-std=c++17", "-x", "c++"}, "clang++": {"-std=c++17", "-x", "c++"},
	} {
		for _, level := range []string{"-O0", "-O2"} {
			t.Run(compiler+level, func(t *testing.T) {
				program := compile(t, compiler, append(args, level, "-Wpedantic", "-Wshadow", "testdata/languages.c")...)
				if output, err := exec.Command(program).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, output)
				}
			})
		}
	}
}

// Eight threads and a receiver in C under ThreadSanitizer, and under the
// sanitizers for addresses and undefined behaviour.
func TestSanitizers(t *testing.T) {
	n := fmt.Sprint(records(t, 80_000))
	for _, sanitizer := range []string{"thread", "address,undefined"} {
		t.Run(sanitizer, func(t *testing.T) {
			program := compile(t, "clang", "-O1", "-g", "-fsanitize="+sanitizer, "-fno-sanitize-recover=all", "testdata/threads.c")
			for mode := range 3 {
				for _, ring := range [][2]int{{4, 0}, {64, 0}, {16, 4}, {4, 8}} {
					cells, lanes := ring[0], ring[1]
					output, err := exec.Command(program, fmt.Sprint(mode), n, fmt.Sprint(cells), fmt.Sprint(lanes)).CombinedOutput()
					if err != nil || !strings.Contains(string(output), " received") {
						t.Fatalf("mode %d, %d lanes of %d cells: %v\n%s", mode, lanes, cells, err, output)
					}
					t.Logf("mode %d, %d lanes of %d cells: %s", mode, lanes, cells, output)
				}
			}
		})
	}
}

// ThreadSanitizer does see a race in the header's accesses: with a publication
// that orders nothing, in the shared ring or in a lane, it complains.
func TestSanitizerFindsRace(t *testing.T) {
	text, err := os.ReadFile("wherry_event.h")
	if err != nil {
		t.Fatal(err)
	}
	for lanes, change := range [][2]string{
		{"WHERRY_EVENT_READY, 0, __ATOMIC_SEQ_CST,", "WHERRY_EVENT_READY, 0, __ATOMIC_RELAXED,"},
		{"__atomic_store_n(&s->state, v, __ATOMIC_RELEASE)", "__atomic_store_n(&s->state, v, __ATOMIC_RELAXED)"},
	} {
		weak := strings.Replace(string(text), change[0], change[1], 1)
		if weak == string(text) {
			t.Fatalf("the header does not publish by %s", change[0])
		}
		dir := t.TempDir()
		header := filepath.Join(dir, "wherry_event.h")
		if err := os.WriteFile(header, []byte(weak), 0o666); err != nil {
			t.Fatal(err)
		}
		program := compile(t, "clang", "-O1", "-g", "-fsanitize=thread", "-iquote", dir, "-I"+dir, "-include", header, "testdata/threads.c")
		output, err := exec.Command(program, "0", "40000", "64", fmt.Sprint(8*lanes)).CombinedOutput()
		if err == nil || !strings.Contains(string(output), "data race") {
			t.Errorf("%d lanes: %v\n%s", 8*lanes, err, output)
		}
	}
}

// wherry_event_post_nowake makes no system call at all, asleep or not, full or
// not: the kernel would end the process. An ordinary post does make one.
func TestNoWakeMakesNoSystemCall(t *testing.T) {
	program := compile(t, "gcc", "-O2", "testdata/silent.c")
	run := func(args ...string) (status int) {
		var exit *exec.ExitError
		if err := exec.Command(program, args...).Run(); errors.As(err, &exit) {
			return exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return 0
	}
	for _, args := range [][]string{{"quiet"}, {"quiet", "lane"}, {"quiet", "short"}} {
		switch status := run(args...); status {
		case 0:
		case 77:
			t.Skip("this kernel has no seccomp filters")
		default:
			t.Errorf("%v: exit status %d: -1 is the kernel's", args, status)
		}
		args[0] = "wake"
		if status := run(args...); status != -1 {
			t.Errorf("an ordinary post to a sleeping receiver, %v: exit status %d, want the kernel's -1", args, status)
		}
	}
}
