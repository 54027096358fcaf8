package tests

import (
	"debug/elf"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const hardened = `package main

/*
FLAGS
struct three { long a, b, c; };
static int twice(int n) { return 2 * n; }
static struct three turn(struct three x) { struct three y = {x.c, x.b, x.a}; return y; }
static int sum(int n) { int s = 0; while (n > 0) s += n--; return s; }
extern int inGo(int);
static int back(int n) { return inGo(n); }
*/
import "C"

import "fmt"

//wherry:nocallback twice
//wherry:fast sum
//wherry:reentrant back

//export inGo
func inGo(n C.int) C.int { return n + 1 }

func main() { fmt.Println(C.twice(2), C.turn(C.struct_three{1, 2, 3}), C.sum(3), C.back(3)) }
`

// The C compiler's flags hold for twins, in all modes, and those of CGO_CFLAGS
// for wherry's own C too, by the machine code; and what the linker protects
// plainly, it protects.
func TestHardeningStays(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not installed (Debian: binutils)")
	}
	ours := []string{"_wherry_stack_new", "_wherry_block", "_wherry_turn_over"}
	twins := []string{"twin twice", "twin turn", "twin sum", "twin back"}
	for _, test := range []struct {
		flags, cgoFlags string
		protected       []string
		arguments       []string
	}{
		{"#cgo CFLAGS: -fstack-protector-all", "-O2", twins, nil},
		{"", "-O2 -fstack-protector-all", append(ours, twins...), []string{"-buildmode=pie", "-ldflags=-extldflags=-Wl,-z,relro,-z,now"}},
	} {
		m := newModule(t, map[string]string{"main.go": strings.Replace(hardened, "FLAGS", test.flags, 1)})
		m.env = append(m.env, "CGO_CFLAGS="+test.cgoFlags)
		m.must("go", append([]string{"build", "-o", "plain"}, test.arguments...)...)
		m.build("fast", test.arguments...)
		if got := m.must("./fast").stdout; got != "4 {3 2 1} 6 4\n" {
			t.Errorf("got output %q", got)
		}
		protected := m.calling("fast", "__stack_chk_fail")
		for _, function := range test.protected {
			if !protected[function] {
				t.Errorf("CGO_CFLAGS=%q %s: %s is without the stack protector; with: %q", test.cgoFlags, test.flags, function,
					slices.Sorted(maps.Keys(protected)))
			}
		}
		if plain, fast := protection(t, m.path("plain")), protection(t, m.path("fast")); !slices.Equal(plain, fast) {
			t.Errorf("%q: plainly linked %q, by wherry %q", test.arguments, plain, fast)
		}
	}
}

var (
	disassembled = regexp.MustCompile(`^[0-9a-f]+ <([^>]+)>:`)
	twinName     = regexp.MustCompile(`^_wherry_twin_[0-9a-f]+_Cfunc_`)
)

// calling returns the functions of a program whose code names another; twins
// without what cgo writes into their names.
func (m *module) calling(program, function string) map[string]bool {
	m.t.Helper()
	found := map[string]bool{}
	in := ""
	for line := range strings.Lines(m.must("objdump", "-d", "--no-show-raw-insn", program).stdout) {
		if head := disassembled.FindStringSubmatch(line); head != nil {
			in = twinName.ReplaceAllString(head[1], "twin ")
		} else if strings.Contains(line, "<"+function) {
			found[in] = true
		}
	}
	return found
}

// protection lists what a program's file asks of kernel and dynamic linker.
func protection(t *testing.T, program string) (list []string) {
	t.Helper()
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list = append(list, file.Type.String())
	for _, part := range file.Progs {
		switch part.Type {
		case elf.PT_GNU_STACK, elf.PT_GNU_RELRO:
			list = append(list, part.Type.String()+" "+part.Flags.String())
		case elf.PT_LOAD:
			if part.Flags&(elf.PF_W|elf.PF_X) == elf.PF_W|elf.PF_X {
				list = append(list, "writable code")
			}
		}
	}
	for _, tag := range []elf.DynTag{elf.DT_FLAGS, elf.DT_FLAGS_1, elf.DT_BIND_NOW, elf.DT_TEXTREL} {
		if values, err := file.DynValue(tag); err == nil {
			for _, value := range values {
				list = append(list, tag.String()+" "+elf.DynFlag(value).String())
			}
		}
	}
	return list
}
