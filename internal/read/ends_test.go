package read

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEnds reads a chain of functions of which only the last one shows that
// none returns: the others and what calls them are read again.
func TestEnds(t *testing.T) {
	var source strings.Builder
	source.WriteString("int usleep(unsigned); void e0(int) __attribute__((noinline)); void e0(int x) { for (;;) __builtin_trap(); }\n")
	const links = 40
	for i := 1; i < links; i++ {
		fmt.Fprintf(&source, "__attribute__((noinline)) void e%d(int x) { volatile int y = x; e%d(y + %d); usleep(y); }\n", i, i-1, i)
		fmt.Fprintf(&source, "__attribute__((noinline)) int f%d(int x) { if (x > %d) { e%d(x); usleep(x); } return x; }\n", i, i, i)
	}
	// Without these gcc knows as well that nobody returns.
	object := compile(t, "gcc", source.String(), "-O1", "-fno-ipa-pure-const", "-fno-ipa-modref", "-fPIC")
	var names []string
	for i := links - 1; i > 0; i-- {
		names = append(names, fmt.Sprintf("f%d", i))
	}
	functions, err := open(t, linked(t, "gcc", object)).Read(names...)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range functions {
		if len(f.Does) > 0 {
			t.Errorf("%s: %v: what is behind a call that does not return counts", names[i], f.Does)
		}
	}
}

// TestLostReturns holds that code of which nothing is known may return: what is behind its call
// is read.
func TestLostReturns(t *testing.T) {
	p := open(t, linked(t, "gcc", compile(t, "gcc", `int usleep(unsigned);
#if defined __x86_64__
		__asm__(".type lost, @function\nlost: .byte 0x0f, 0x04\n.size lost, 2");
#else
		__asm__(".type lost, %function\nlost: .inst 0x02000000\n.size lost, 4");
#endif
		void lost(void); int behind(int x) { lost(); return usleep(x); }`, "-O2")))
	if f := readOne(t, p, "behind"); !does(f, Undecodable) || !does(f, Block) {
		t.Errorf("got %v, want undecodable and block", f.Does)
	}
}

// TestOtherStacks holds that code which gives its stack pointer a value that is not known to be on
// the stack that it was entered on, as coroutines do, may go on anywhere. Unwind information does
// not tell: it is that of the function which is left.
func TestOtherStacks(t *testing.T) {
	source, err := os.ReadFile("testdata/switch.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, build := range []string{"gcc -O0", "gcc -O2", "gcc -O2 -fno-omit-frame-pointer -mavx2", "clang -O0", "clang -O2",
		"aarch64-linux-gnu-gcc -O0", "aarch64-linux-gnu-gcc -O2"} {
		t.Run(build, func(t *testing.T) {
			words := strings.Fields(build)
			p := open(t, linked(t, words[0], compile(t, words[0], string(source), words[1:]...)))
			for _, name := range []string{"other_cfi", "other_register", "other_inline", "own_alloca", "own_array", "own_aligned"} {
				f := readOne(t, p, name)
				got := does(f, Indirect)
				want := strings.HasPrefix(name, "other") ||
					build == "clang -O0" && name == "own_array" || // which keeps the old stack pointer in memory
					strings.HasPrefix(build, "gcc") && name == "own_aligned" // which keeps its frame's address in memory
				if got != want {
					t.Errorf("%s goes on anywhere: got %v, want %v: %v", name, got, want, f.Does)
				}
			}
		})
	}
}

// TestManySwitches reads a function with more switches, each behind the one before, than are
// looked for: it says that it does not know, and finds its way to the end where there are fewer. Behind
// them it compares its stack pointer.
func TestManySwitches(t *testing.T) {
	for n, want := range map[int]bool{20: false, 70: true} {
		var source strings.Builder
		source.WriteString("volatile int v[8]; char *limit; void many(const unsigned char *p) {\n")
		for i := range n {
			fmt.Fprintf(&source, "switch (p[%d] & 7) {", i)
			for way := range 8 {
				fmt.Fprintf(&source, " case %d: v[%d] = %d; break;", way, way, 8*i+way)
			}
			source.WriteString(" }\n__asm__ volatile(\"\" ::: \"memory\");\n")
		}
		source.WriteString("if ((char *)__builtin_frame_address(0) < limit) v[0] = 0;\n}\n")
		p := open(t, linked(t, "gcc", compile(t, "gcc", source.String(), "-O1")))
		f := readOne(t, p, "many")
		if got := len(f.Does) > 0; got != want {
			t.Errorf("%d switches: got %v, want something: %t", n, f.Does, want)
		}
		if compares := p.ComparesStack(); !slices.Equal(compares, []string{"many"}) {
			t.Errorf("%d switches: got functions that compare their stack %q, want many", n, compares)
		}
	}
}
