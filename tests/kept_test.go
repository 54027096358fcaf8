package tests

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A keeping is a module whose C compiler is a wrapper, and a folder of what is kept.
type keeping struct {
	*module
	folder, word string // word is in its object only
}

// keeps makes one, with a GOCACHE of its own or without.
func keeps(t *testing.T, own bool) *keeping {
	t.Helper()
	needsFastPath(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	k := &keeping{module: testdata(t, "kept"), word: fmt.Sprintf("word%d", time.Now().UnixNano())}
	k.write("part.c", fmt.Sprintf("int part(int n) { return n + 10; }\nconst char %s[] = \"%[1]s\";\n", k.word))
	if err := errors.Join(os.Mkdir(k.path("bin"), 0o777), os.Rename(k.path("gcc.sh"), k.path("bin/gcc")),
		os.Chmod(k.path("bin/gcc"), 0o777)); err != nil {
		t.Fatal(err)
	}
	k.env = append(k.env, "CC=gcc", "GCC="+gcc, "FLAGS="+k.path("flags"), "HIDDEN="+k.path("hidden"),
		"PATH="+k.path("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	gocache := strings.TrimSpace(k.must("go", "env", "GOCACHE").stdout)
	if own {
		gocache = t.TempDir()
		k.env = append(k.env, "GOCACHE="+gocache)
	}
	k.folder = filepath.Join(gocache, "00", "wherry")
	return k
}

// again builds the package again, and checks what the program prints and how often wherry
// says that.
func (k *keeping) again(what, prints string, says string, times int, flags ...string) {
	k.t.Helper()
	k.write("again.go", fmt.Sprintf("package main\n\nconst again = %d\n", time.Now().UnixNano()))
	r := k.must(wherry, append([]string{"build", "-o", "fast"}, flags...)...)
	if says != "" && strings.Count(r.stderr, says) != times {
		k.t.Errorf("%s: want %q %d times, got\n%s", what, says, times, r.stderr)
	}
	if says == "" && strings.Count(r.stderr, "wherry: ") != 1 { // the summary
		k.t.Errorf("%s: got\n%s", what, r.stderr)
	}
	if got := k.mustProgram("./fast").stderr; got != prints {
		k.t.Errorf("%s: the program prints %q, want %q", what, got, prints)
	}
}

// protected reports whether part has been compiled with -fstack-protector-all.
func (k *keeping) protected() bool {
	k.t.Helper()
	return strings.Contains(k.must("objdump", "-d", "--disassemble=part", "fast").stdout, "__stack_chk_fail")
}

// object finds the kept object that has the word in it.
func (k *keeping) object() (file string, content []byte) {
	k.t.Helper()
	files, _ := filepath.Glob(filepath.Join(k.folder, "object-*"))
	for _, name := range files {
		if text, err := os.ReadFile(name); err == nil && bytes.Contains(text, []byte(k.word)) {
			file, content = name, text
		}
	}
	if file == "" {
		k.t.Fatalf("no object in %s has the word in it", k.folder)
	}
	return file, content
}

// A kept object is used only where the compiler would make the same one.
func TestKeptObjects(t *testing.T) {
	t.Parallel()
	k := keeps(t, false)
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not installed")
	}
	k.again("the first time", "11 1\n", "", 0)
	if k.protected() {
		t.Skip("this compiler protects all functions by default")
	}
	file, content := k.object()
	for what, damaged := range map[string][]byte{
		"wrong checksum":              bytes.Replace(content, []byte(k.word), []byte(strings.ToUpper(k.word)), 1),
		"bytes where its first line ": content[:len(content)/2],
	} {
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		k.again(what, "11 1\n", fmt.Sprintf("wherry: %s is damaged and made again: ", file), 1)
		if again, err := os.ReadFile(file); err != nil || !bytes.Equal(again, content) {
			t.Errorf("%s: the object was not made again: %v", what, err)
		}
		k.again("after "+what, "11 1\n", "", 0)
	}

	k.write("value.inc", "\t.globl the_value\nthe_value: .long 2\n")
	k.again("another file for the assembler", "11 2\n", "", 0)

	k.write("flags", "-fstack-protector-all")
	k.again("another wrapper", "11 2\n", "", 0)
	if !k.protected() {
		t.Error("the compiler's wrapper adds -fstack-protector-all, but an old object was linked")
	}
}

// As long as a C file includes the same, its object is found without the preprocessor.
func TestKeptObjectsDirectly(t *testing.T) {
	t.Parallel()
	k := keeps(t, false)
	log := k.path("log")
	k.env = append(k.env, "LOG="+log)
	source := fmt.Sprintf("#include \"part.h\"\nint part(int n) { return n + PART; }\nconst char %s[] = \"%[1]s\";\n", k.word)
	k.write("main.go", strings.Replace(k.read("main.go"), "//", "// #cgo CFLAGS: -I${SRCDIR}/inc\n//", 1))
	k.write("part.c", source)
	k.write("inc/part.h", "#if __has_include/* by any name */ \\\n (\"more.h\")\n#define PART 40\n#else\n#define PART 10\n#endif\n")
	build := func(what, prints string, preprocessed bool) {
		t.Helper()
		time.Sleep(200 * time.Millisecond) // a file that is as new as the build is not relied on
		os.Remove(log)
		k.again(what, prints, "", 0)
		text, _ := os.ReadFile(log)
		if got := regexp.MustCompile(`(?m) -E .*part\.c `).Match(text); got != preprocessed {
			t.Errorf("%s: the preprocessor ran: %v, want %v", what, got, preprocessed)
		}
	}
	build("the first time", "11 1\n", true)
	build("the same", "11 1\n", false)
	k.write("inc/more.h", "")
	build("a header that is asked for", "41 1\n", true)
	k.write("part.h", "#define PART 20\n")
	build("a header that comes before", "21 1\n", true)
	build("the same header", "21 1\n", false)
	k.write("part.h", "#define PART 30\n")
	build("another text", "31 1\n", true)
	k.must("rm", "part.h", "inc/more.h")
	build("all as it was", "11 1\n", true) // the last is known alone
	next := k.path("next")
	k.env = append(k.env, "NEXT="+next)
	k.write("part.c", strings.Replace(source, "PART", "PART + 1", 1))
	k.write("next", strings.Replace(source, "PART", "PART + 2", 1))
	build("a file that is written meanwhile", "13 1\n", true)
	k.write("part.c", strings.Replace(source, "PART", "PART + 1", 1))
	build("what it was", "12 1\n", false) // but compiled
	k.write("part.c", source+"#define PASTE(a, b) a##b\nconst char *when = PASTE(__TI, ME__);\n")
	build("a time", "11 1\n", true)
	build("another time", "11 1\n", true)
}

// Warnings depend on comments: what go refuses is refused though only a comment has changed.
func TestKeptWarnings(t *testing.T) {
	t.Parallel()
	k := keeps(t, false)
	k.write("main.go", strings.Replace(k.read("main.go"), "//", "// #cgo CFLAGS: -O2 -Wimplicit-fallthrough -Werror\n//", 1))
	source := k.read("part.c") + "int falls(int n) { switch (n) { case 1: n++; /* fall through */ case 2: n++; } return n; }\n"
	k.write("part.c", source)
	k.again("with a comment", "11 1\n", "", 0)
	k.write("part.c", strings.Replace(source, "fall through", "", 1))
	for _, tool := range []string{"go", wherry} {
		if r := k.run(tool, "build", "-o", "fast"); r.status != 1 || !strings.Contains(r.stderr, "this statement may fall through") {
			t.Errorf("%s without it: exit status %d\n%s", tool, r.status, r.stderr)
		}
	}
	k.write("part.c", source)
	k.again("with it again", "11 1\n", "", 0)
}

// What is kept obeys -a and go clean -cache, and is used only where nobody else could have
// written it. All with one GOCACHE, which begins empty.
func TestKeptFolder(t *testing.T) {
	t.Parallel()
	k := keeps(t, true)
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not installed")
	}
	k.again("the first time", "11 1\n", "", 0)
	if k.protected() {
		t.Skip("this compiler protects all functions by default")
	}
	k.write("hidden", "-fstack-protector-all")
	k.again("what nobody can see", "11 1\n", "", 0)
	if k.protected() {
		t.Error("nothing was kept")
	}
	log, env := k.path("log"), k.env
	k.env = append(k.env, "LOG="+log)
	k.again("-a", "11 1\n", "", 0, "-a")
	if !k.protected() {
		t.Error("with -a an old object was linked")
	}
	compiled, err := os.ReadFile(log)
	for _, file := range []string{"/wherry_c.c ", "/wherry_names.c ", "/wherry_asm.S ", "/trivial.c "} { // own C, and what the linker asks
		if err != nil || !strings.Contains(string(compiled), file) {
			t.Errorf("with -a %q is not compiled: %v", file, err)
		}
	}
	k.env = env
	k.again("after -a", "11 1\n", "", 0)
	if !k.protected() {
		t.Error("-a did not replace the object")
	}

	offsets, _ := filepath.Glob(filepath.Join(k.folder, "offsets-*"))
	if len(offsets) != 1 {
		t.Fatalf("got offsets %v", offsets)
	}
	text, err := os.ReadFile(offsets[0])
	edited := bytes.Replace(text, []byte(`"G_SCHED_SP":`), []byte(`"G_SCHED_SP":1`), 1)
	if err := errors.Join(err, os.WriteFile(offsets[0], edited, 0o600)); err != nil || bytes.Equal(edited, text) {
		t.Fatal(err)
	}
	k.again("edited offsets", "11 1\n", fmt.Sprintf("wherry: %s is damaged and made again: ", offsets[0]), 1)
	if again, err := os.ReadFile(offsets[0]); err != nil || !bytes.Equal(again, text) {
		t.Errorf("the offsets were not made again: %v", err)
	}

	if info, err := os.Stat(k.folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: got %v, %v, want mode 0700", info, err)
	}
	const refused = "wherry: nothing is kept for later builds: "
	if err := os.Chmod(k.folder, 0o777); err != nil {
		t.Fatal(err)
	}
	k.again("others can write", "11 1\n", refused+"others can write to "+k.folder+" ", 1)
	if err := os.Chmod(k.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(k.folder, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		k.again("another's folder", "11 1\n", refused+k.folder+" belongs to user 12345", 1)
	} else {
		t.Log("another user's folder: only root can make one")
	}

	k.must("go", "clean", "-cache")
	if _, err := os.Lstat(k.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("go clean -cache leaves %s: %v", k.folder, err)
	}
}
