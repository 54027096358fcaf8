package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The assembler says what it reads: where that is more than its input, the text is not kept.
// Of what is kept, it reads nothing.
func TestReadsMore(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed: nobody says what an assembler reads")
	}
	if output, _ := exec.Command(gcc, "-dumpmachine").Output(); !strings.HasPrefix(string(output), "x86_64") {
		t.Skip("the assembly is x86's")
	}
	files, _ := filepath.Glob("testdata/asm/*.c")
	if len(files) < 25 {
		t.Fatalf("got %d files", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".c")
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			text, err := exec.Command(gcc, "-E", "-Itestdata/asm", file).Output()
			if err != nil {
				t.Fatal(err)
			}
			list := filepath.Join(dir, "list")
			cmd := exec.Command(gcc, "-O1", "-c", "-Itestdata/asm", "-Wa,--MD,"+list, "-o", filepath.Join(dir, "object"), file)
			if output, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			deps, err := os.ReadFile(list)
			if err != nil {
				t.Fatal(err)
			}
			reads := regexp.MustCompile(`value\.(inc|bin)`).Match(deps)
			if want := strings.HasPrefix(name, "reads_"); want != reads {
				t.Fatalf("the assembler reads %s", deps)
			}
			// What begins with odd_ reads nothing, and could as well.
			if got, want := readsMore(text), !strings.HasPrefix(name, "kept_"); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

// Headers of the C library and ordinary C are kept.
func TestReadsNoMore(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	var all strings.Builder
	for _, name := range strings.Fields(`assert.h complex.h ctype.h dlfcn.h errno.h fcntl.h fenv.h inttypes.h limits.h locale.h math.h
		netdb.h poll.h pthread.h sched.h semaphore.h setjmp.h signal.h spawn.h stdatomic.h stdio.h stdlib.h string.h sys/epoll.h
		sys/mman.h sys/select.h sys/socket.h sys/stat.h sys/time.h sys/types.h sys/wait.h threads.h time.h ucontext.h unistd.h wchar.h`) {
		all.WriteString("#include <" + name + ">\n")
	}
	for _, flags := range []string{"-O2", "-O2 -D_FORTIFY_SOURCE=2 -D_GNU_SOURCE", "-g3 -D_FILE_OFFSET_BITS=64", "-std=c99"} {
		cmd := exec.Command(gcc, append(strings.Fields(flags), "-E", "-x", "c", "-")...)
		cmd.Stdin = strings.NewReader(all.String())
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		if readsMore(text) {
			t.Errorf("%s: the C library's headers are not kept", flags)
		}
	}
}

// Whatever a text has in its lines, assembly in a line after them is seen.
func FuzzReadsMore(f *testing.F) {
	files, _ := filepath.Glob("testdata/asm/*.c")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"'", `"\`, "# 1 \"", "asm(\"\"\n# 1", "[[", "u8R\"(", "__attribute__((", "1'2'", "#define \"", "\\"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !readsMore(append(text, "\nasm(\".include \\\"file\\\"\");\n"...)) {
			t.Fatal("the assembly was not seen")
		}
	})
}
