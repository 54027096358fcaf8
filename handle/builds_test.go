package handle_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// goCommand runs the go command in dir.
func goCommand(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: does not start the go command")
	}
	if os.Getenv("HANDLE_TEST_BUILDS") == "1" {
		t.Skip("already in a build that such a test has started")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HANDLE_TEST_BUILDS=1", "GOFLAGS="), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestOtherBuilds runs the tests again, as tags build them.
func TestOtherBuilds(t *testing.T) {
	if host, _ := goCommand(t, "", nil, "env", "GOHOSTARCH"); strings.TrimSpace(host) != runtime.GOARCH {
		t.Skip("the go command cannot run tests for this processor, its own is ", host)
	}
	for _, tags := range []string{"wherry_hooks", "wherry_small", "wherry_portable", "wherry_portable,wherry_hooks"} {
		if out, err := goCommand(t, "", nil, "test", "-short", "-tags="+tags, "."); err != nil {
			t.Errorf("tags %s: %v\n%s", tags, err, out)
		}
	}
}

// TestOtherPlatforms compiles the package and its tests where they do not run.
func TestOtherPlatforms(t *testing.T) {
	for _, p := range []string{"js/wasm", "linux/mipsle", "linux/s390x", "windows/amd64"} {
		goos, goarch, _ := strings.Cut(p, "/")
		env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
		if out, err := goCommand(t, "", env, "vet", "."); err != nil {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}

// TestOtherProcessors runs the tests, stress among them, on processors whose
// words are smaller or whose memory is ordered more weakly. An emulator shows
// that the code runs there, TestArm64Order what orders its loads and stores.
func TestOtherProcessors(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("starts programs for linux from linux/amd64")
	}
	for _, p := range []struct{ goarch, emulator string }{{"386", ""}, {"arm64", "qemu-aarch64"}, {"arm", "qemu-arm"}} {
		t.Run(p.goarch, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "handle.test")
			args := []string{exe, "-test.short"}
			if p.emulator != "" {
				if _, err := exec.LookPath(p.emulator); err != nil {
					t.Skip("script/bootstrap installs the emulator: ", err)
				}
				args = append([]string{p.emulator}, args...)
			}
			env := []string{"GOOS=linux", "GOARCH=" + p.goarch, "CGO_ENABLED=0"}
			if out, err := goCommand(t, "", env, "test", "-c", "-o", exe, "."); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			cmd := exec.Command(args[0], args[1:]...)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestVetIsSilentInCallers vets a module that uses handles as void*, and one
// that converts by hand, which vet must report.
func TestVetIsSilentInCallers(t *testing.T) {
	const caller = `package caller

import (
	"unsafe"

	"github.com/wherrygo/wherry/handle"
)

type session struct{ userdata unsafe.Pointer }

func open(v any) *session { return &session{CONVERT(handle.NewHandle(v))} }

func (s *session) value() any { return handle.FromPointer(s.userdata).Value() }

func (s *session) close() { handle.FromPointer(s.userdata).Delete() }

var _, _, _ = open, (*session).value, (*session).close
`
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	for convert, clean := range map[string]bool{"handle.Handle.Pointer": true, "unsafe.Pointer": false} {
		dir := t.TempDir()
		mod := "module caller\n\ngo 1.24\n\nrequire github.com/wherrygo/wherry v0.0.0\n\nreplace github.com/wherrygo/wherry => " + root + "\n"
		for name, text := range map[string]string{"go.mod": mod, "caller.go": strings.ReplaceAll(caller, "CONVERT", convert)} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if clean {
			if out, err := goCommand(t, dir, nil, "vet", "."); err != nil {
				t.Errorf("%s: %v\n%s", convert, err, out)
			}
			continue
		}
		out, err := goCommand(t, dir, nil, "vet", ".")
		if err == nil || !strings.Contains(out, "misuse of unsafe.Pointer") {
			t.Errorf("vet does not report %s, so this test shows nothing: %v\n%s", convert, err, out)
		}
	}
}

// TestAmd64Order reads the instructions that amd64 gets: the compiler has
// kept the order of the plain loads and stores that access_tso_unsafe.go asks
// for.
func TestAmd64Order(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "handle.test")
	env := []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}
	if out, err := goCommand(t, "", env, "test", "-c", "-o", exe, "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Offsets in a slot: word 0, type 0x8, data 0x10. R11 is the write
	// barrier's buffer.
	const base = `\((?:[A-QS-Z]\w|R[^1]|R1[^1])\w?\)`
	for _, tt := range []struct{ symbols, instruction, want string }{
		{`handle\.NewHandle$`, `access_tso.* MOVQ \w+, (0|0x8|0x10)` + base, `^0x8 0x10 0$`},
		{`handle\.Handle\.Delete$`, `(LOCK) CMPXCHGQ|MOVQ \$0x0, (0x10)` + base, `^LOCK 0x10$`},
		{`handle\.Handle\.(Value|Lookup)$`, `_unsafe.* (?:MOVQ|CMPQ) (?:\w+, )?(0|0x8|0x10)\(`, `0 0x8 0x10 0$`},
	} {
		out, err := goCommand(t, "", nil, "tool", "objdump", "-s", tt.symbols, exe)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var order []string
		for line := range strings.Lines(out) {
			fields := strings.Fields(line)
			if len(fields) < 4 {
				continue
			}
			text := fields[0] + " " + strings.Join(fields[3:], " ")
			if m := regexp.MustCompile(tt.instruction).FindStringSubmatch(text); m != nil {
				order = append(order, strings.Join(m[1:], ""))
			}
		}
		if got := strings.Join(order, " "); !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s: order %q, want %s\n%s", tt.symbols, got, tt.want, out)
		}
	}
}

// TestArm64Order reads the instructions that arm64 gets: all four loads of a
// Lookup acquire, and the stores of NewHandle release.
func TestArm64Order(t *testing.T) {
	dir := t.TempDir()
	exe := filepath.Join(dir, "handle.test")
	env := []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}
	if out, err := goCommand(t, "", env, "test", "-c", "-o", exe, "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, tt := range []struct {
		symbol, instruction string
		count               int
	}{
		{`handle\.Handle\.Lookup$`, "LDAR", 5},  // the chunk, and the slot's four
		{`handle\.\(\*slot\)\.put$`, "STLR", 1}, // StorePointer is a call, for its write barrier
		{`handle\.\(\*slot\)\.put$`, "StorePointer", 2},
		{`handle\.Handle\.Delete$`, "StorePointer", 1},
		{`sync/atomic\.StoreUintptr$`, "STLR", 1}, // which StorePointer goes on to
	} {
		out, err := goCommand(t, "", nil, "tool", "objdump", "-s", tt.symbol, exe)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if n := strings.Count(out, tt.instruction); n < tt.count {
			t.Errorf("%s has %s %d times, want %d\n%s", tt.symbol, tt.instruction, n, tt.count, out)
		}
	}
}
