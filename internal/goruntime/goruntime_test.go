package goruntime

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/internal/kept"
)

func TestSupportsGo(t *testing.T) {
	for _, test := range []struct {
		version  string
		untested bool
		want     string // part of the error, "" for none
	}{
		{"go1.24", false, ""},
		{"go1.24.9", false, ""},
		{"go1.27.0", false, ""},
		{"go1.27rc1", false, ""},
		{"go1.27.3 X:nodwarf5", false, ""},
		{"go1.23.12", false, "older than go1.24"},
		{"go1.23.12", true, "older than go1.24"},
		{"go1.28.0", false, "newer than go1.27"},
		{"go1.28.0", true, ""},
		{"devel go1.28-abcdef", false, "no released Go"},
		{"devel go1.28-abcdef", true, ""},
	} {
		err := SupportsGo(test.version, test.untested)
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.version, err)
			}
			continue
		}
		var unsupported *Unsupported
		if !errors.As(err, &unsupported) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got error %v, want an Unsupported with %q", test.version, err, test.want)
		}
	}
}

func TestSupportsTarget(t *testing.T) {
	for target, want := range map[string]bool{
		"linux/amd64": true, "linux/arm64": true, "linux/386": false, "darwin/arm64": false, "windows/amd64": false,
	} {
		goos, goarch, _ := strings.Cut(target, "/")
		if err := SupportsTarget(goos, goarch); (err == nil) != want {
			t.Errorf("%s: got %v, want supported %v", target, err, want)
		}
	}
}

func toolchain(t testing.TB, arch string) Toolchain {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	return Toolchain{Version: runtime.Version(), Root: root, ToolDir: filepath.Join(root, "pkg/tool", runtime.GOOS+"_"+runtime.GOARCH),
		OS: "linux", Arch: arch}
}

// The offsets are those that the compiler itself writes for assembly files.
func TestOffsetsEqualGoAsm(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		t.Run(arch, func(t *testing.T) {
			tc := toolchain(t, arch)
			offsets, err := tc.Offsets(nil, false)
			if err != nil {
				t.Fatal(err)
			}
			header := goAsmHeader(t, tc)
			for _, name := range []string{"g_m", "g_syscallsp", "g_syscallpc", "g_syscallbp", "g_throwsplit", "m_g0", "g_stackguard0",
				"m_vdsoPC", "m_vdsoSP"} {
				if got, want := offsets[strings.ToUpper(name)], header[name]; want != itoa(got) {
					t.Errorf("%s: got %d, the compiler says %q", name, got, want)
				}
			}
			if want := header["g_sched"]; want != itoa(offsets["G_SCHED_SP"]) || header["gobuf_sp"] != "0" {
				t.Errorf("g_sched+gobuf_sp: got %d, the compiler says %q + %q", offsets["G_SCHED_SP"], want, header["gobuf_sp"])
			}
		})
	}
}

// So are those of the list, which programs have that are built plainly. That they are the
// constants of package running is what script/lint holds.
func TestListIsOfThisGo(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		tc := toolchain(t, arch)
		offsets, err := tc.Offsets(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		minor, _ := goMinor(tc.Version)
		all, versions := List()
		column := 0
		for column+1 < len(versions) && versions[column+1] <= minor {
			column++
		}
		for _, l := range all {
			if l.At != nil && int64(l.At[column]) != offsets[l.Name] {
				t.Errorf("%s, %s: the list has %d, want %d", arch, l.What, l.At[column], offsets[l.Name])
			}
		}
		if !offsets.plausible() {
			t.Errorf("%s: the offsets are not plausible: %v", arch, offsets)
		}
	}
}

// Each line says who needs it and why, and has a name of its own.
func TestListIsComplete(t *testing.T) {
	all, versions := List()
	seen := map[string]bool{}
	for _, l := range all {
		who, why, _ := strings.Cut(l.Why, ": ")
		if !slices.Contains([]string{"call", "turning", "callback", "holding", "trace", "check"}, who) || why == "" {
			t.Errorf("%s: %q does not say who needs it and why", l.What, l.Why)
		}
		if l.Name != "" && seen[l.Name] || (l.Name == "") != l.isVariable() {
			t.Errorf("%s has the name %q", l.What, l.Name)
		}
		seen[l.Name] = true
	}
	if len(seen) < 40 || len(versions) != 3 || versions[0] != OldestMinor {
		t.Errorf("got %d names and the versions %v", len(seen), versions)
	}
}

// Offsets are kept, and not believed when they are not as they were written, nor for a
// runtime whose text has changed, though its size and time have not.
func TestOffsetsAreKept(t *testing.T) {
	tc := toolchain(t, runtime.GOARCH)
	folder, err := kept.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	thrown := 0
	folder.Damaged = func(string, error) { thrown++ }
	first, err := tc.Offsets(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder.Path, "offsets-*"))
	if len(files) != 1 {
		t.Fatalf("got kept files %v, want one", files)
	}
	written, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(written), `"G_M":`, `"G_M":8`, 1)
	for i, text := range []string{"", "{}", "nonsense", edited, string(written[:len(written)-1])} {
		if err := os.WriteFile(files[0], []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if again, err := tc.Offsets(folder, false); err != nil || !maps.Equal(again, first) || thrown != i+1 {
			t.Errorf("kept file %q, %d thrown away: got %+v, %v, want %+v", text, thrown, again, err, first)
		}
	}
	wrong := maps.Clone(first)
	wrong["G_M"] += 1 << 12
	key, _ := tc.key()
	text, _ := json.Marshal(wrong) // numbers
	folder.Put(key, text)
	if kept, err := tc.Offsets(folder, false); err != nil || !maps.Equal(kept, wrong) {
		t.Errorf("what is kept is not used: got %+v, %v", kept, err)
	}
	if again, err := tc.Offsets(folder, true); err != nil || !maps.Equal(again, first) {
		t.Errorf("asked for again: got %+v, %v, want %+v", again, err, first)
	}
}

func TestKeyOfToolchain(t *testing.T) {
	tc, root := toolchain(t, runtime.GOARCH), t.TempDir()
	for _, dir := range runtimeFolders {
		from := filepath.Join(tc.Root, "src", dir)
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := os.MkdirAll(filepath.Join(root, "src", dir), 0o777); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(from, "*.go"))
		for _, file := range files {
			if err := os.Symlink(file, filepath.Join(root, "src", dir, filepath.Base(file))); err != nil {
				t.Fatal(err)
			}
		}
	}
	tc.Root = root
	before, known := tc.key()
	if again, _ := tc.key(); !known || again != before {
		t.Errorf("the keys of one toolchain: %q, %q", before, again)
	}
	file := filepath.Join(root, "src/runtime/runtime2.go")
	info, err := os.Stat(file)
	text, readErr := os.ReadFile(file)
	swapped := bytes.Replace(text, []byte("type g struct {"), []byte("type g struct\t{"), 1)
	if err := errors.Join(err, readErr, os.Remove(file), os.WriteFile(file, swapped, 0o666),
		os.Chtimes(file, time.Time{}, info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if after, _ := tc.key(); after == before {
		t.Error("a runtime of the same size and time, but another text, has the same key")
	}
	patched := tc
	patched.Experiment = "other"
	one, _ := tc.key()
	if other, _ := patched.key(); other == one {
		t.Error("another GOEXPERIMENT has the same key")
	}
	for _, dir := range runtimeFolders {
		list := exec.Command("go", "list", "-f", `{{join .GoFiles " "}} {{join .CgoFiles " "}}`, dir)
		list.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+tc.Arch)
		files, _ := list.Output() // a folder that is not in this version has none
		for _, file := range strings.Fields(string(files)) {
			if isElsewhere(file) {
				t.Errorf("%s/%s is compiled, but no part of the key", dir, file)
			}
		}
	}
	tc.ToolDir = t.TempDir()
	if _, known := tc.key(); known {
		t.Error("a toolchain without a compiler has a key")
	}
}

func TestReadOffsetsOfForeignFiles(t *testing.T) {
	for _, name := range []string{"/bin/true", "/nonexistent", os.Args[0] + ".no"} {
		if _, err := ReadOffsets(name); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// goAsmHeader compiles the runtime once more and keeps the header that the
// compiler writes for assembly files: its own word on its struct offsets.
func goAsmHeader(t *testing.T, tc Toolchain) map[string]string {
	dir := t.TempDir()
	// -D with a new value is harmless and keeps the build cache from answering. The
	// whole path can have a space in it.
	fresh := filepath.Base(filepath.Dir(dir))
	cmd := exec.Command(filepath.Join(tc.Root, "bin/go"), "build", "-work", "-gcflags=runtime=-D="+fresh, "runtime")
	cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+tc.OS, "GOARCH="+tc.Arch, "GOTOOLCHAIN=local", "GOTMPDIR="+dir)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("compiling the runtime: %v\n%s", err, out)
	}
	var text string
	headers, _ := filepath.Glob(filepath.Join(dir, "go-build*", "*", "go_asm.h"))
	for _, header := range headers {
		if content, err := os.ReadFile(header); err == nil && strings.Contains(string(content), "#define g_sched ") {
			text = string(content)
		}
	}
	if text == "" {
		t.Fatalf("the compiler wrote no header with g_sched among %d", len(headers))
	}
	defines := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "#define" {
			defines[f[1]] = f[2]
		}
	}
	return defines
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
