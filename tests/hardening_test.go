package tests

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What the C compiler and the linker protect plainly, they protect: flags hold for twins, in all
// modes, and those of CGO_CFLAGS for wherry's own C too, by the machine code. Nothing else is
// exported than what docs/production.md lists, and no other words that hold addresses of code
// can be written than SECURITY.md says.
func TestHardeningStays(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	ours := words("_wherry_stack_new _wherry_block _wherry_turn_over")
	var twins []string
	for _, name := range words("twice turn sum back") {
		twins = append(twins, "twin "+name)
	}
	now := []string{"-ldflags=-extldflags=-Wl,-z,relro,-z,now"}
	pie := append(now, "-buildmode=pie")
	marks := target{"arm64", append(arm64.env, "CGO_CFLAGS=-O2 -mbranch-protection=standard"), arm64.runner}
	for name, test := range map[string]struct {
		flags     string // of the package
		on        target
		protected []string
		arguments []string
		tools     []string
	}{
		"package": {"-fstack-protector-all", target{env: []string{"CGO_CFLAGS=-O2"}}, twins, nil, nil},
		"pie":     {"-g", target{env: []string{"CGO_CFLAGS=-O2 -fstack-protector-all"}}, append(ours, twins...), pie, nil},
		"cet":     {"-g", target{env: []string{"CGO_CFLAGS=-O2 -fcf-protection=full"}}, nil, now, nil},
		"lld": {"-g", target{env: []string{"CC=clang", "CGO_LDFLAGS=-fuse-ld=lld"}}, nil, now,
			words("clang ld.lld")},
		"static":   {"-g", native, nil, []string{"-ldflags=-extldflags=-static"}, nil},
		"c-shared": {"-g", native, nil, append(now, "-buildmode=c-shared"), nil},
		"arm64":    {"-g", marks, nil, pie, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, tool := range append(append(test.on.tools(), "objdump"), test.tools...) {
				if _, err := exec.LookPath(tool); err != nil {
					t.Skipf("%s is not installed", tool)
				}
			}
			if name == "cet" && runtime.GOARCH != "amd64" {
				t.Skip("-fcf-protection is of amd64")
			}
			m := testdata(t, "hardened").on(test.on)
			m.replace("main.go", "-D_GNU_SOURCE", "-D_GNU_SOURCE "+test.flags)
			m.must("go", append([]string{"build", "-o", "plain"}, test.arguments...)...)
			m.build("fast", test.arguments...)
			if plain, fast := protection(t, m.path("plain")), protection(t, m.path("fast")); !slices.Equal(plain, fast) {
				t.Errorf("plainly linked %q, by wherry %q", plain, fast)
			}
			listed := listedNames(t)
			for _, symbol := range without(exported(t, m.path("fast")), exported(t, m.path("plain"))) {
				if name == "c-shared" || name == "static" || !listed[symbol] {
					t.Errorf("it exports %s too", symbol)
				}
			}
			if name == "c-shared" {
				return
			}
			if got := m.mustProgram("./fast").stdout; got != "4 {3 2 1} 6 4\n" {
				t.Errorf("got output %q", got)
			}
			plain, fast := m.writable("./plain"), m.writable("./fast")
			if len(plain) < 10 || !slices.ContainsFunc(fast, func(word string) bool { return word == "wherry_calls" }) {
				t.Errorf("it finds %d writable words of the plain program, and by wherry %q", len(plain), fast)
			}
			for _, word := range without(fast, plain) {
				if !slices.ContainsFunc(writableWords, func(prefix string) bool { return strings.HasPrefix(word, prefix) }) {
					t.Errorf("an address of code can be written: %s", word)
				}
			}
			if len(test.protected) == 0 {
				return
			}
			protected := m.calling("fast", "__stack_chk_fail")
			for _, function := range test.protected {
				if !protected[function] {
					t.Errorf("%s is without the stack protector; with: %q", function, slices.Sorted(maps.Keys(protected)))
				}
			}
		})
	}
}

// writableWords are what may hold an address of code and be written: what is known of each call, where
// a turned call goes on, C's and Go's signal handlers, what stands in place of the runtime's hooks, what shows C in traces;
// and Go's own data, which is not the same in two programs; _wherry_read_clock is the runtime's vdsoClockgettimeSym.
var writableWords = words("wherry_calls _wherry_read_clock _wherry_turn_resume _wherry_c_threads _wherry_urgent _wherry_before_faults " +
	"_wherry_set_traceback _wherry_cgo_bindm set_traceback " +
	"_wherry_traces _wherry_cgo_traceback _wherry_cgo_symbolizer cgo_symbolizer_function cgo_traceback_function " +
	"_wherry_module _wherry_mheap _wherry_allm runtime. main. internal/ go: _GLOBAL_OFFSET_TABLE_")

// writable returns the symbols of words that the program could write, and that hold addresses of
// code.
func (m *module) writable(program string) (names []string) {
	m.t.Helper()
	file, err := elf.Open(m.path(program))
	if err != nil {
		m.t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		m.t.Fatal(err)
	}
	symbols = slices.DeleteFunc(symbols, func(s elf.Symbol) bool {
		return strings.HasPrefix(s.Name, "$") || s.Section == elf.SHN_UNDEF || // $d: arm64 marks data so
			s.Section >= elf.SHN_LORESERVE || elf.ST_TYPE(s.Info) == elf.STT_TLS
	})
	slices.SortStableFunc(symbols, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	for line := range strings.Lines(m.mustProgram(program, "show").stdout) {
		place, err := strconv.ParseUint(strings.Fields(line)[0], 16, 64)
		if err != nil {
			m.t.Fatalf("%q: %v", line, err)
		}
		within := func(s *elf.Section) bool { return s.Addr <= place && place < s.Addr+s.Size }
		// One with such a name is wherry's, or the C library's.
		if i := slices.IndexFunc(file.Sections, within); i >= 0 && !strings.HasPrefix(file.Sections[i].Name, ".") {
			names = append(names, file.Sections[i].Name)
			continue
		}
		i, _ := slices.BinarySearchFunc(symbols, place+1, func(s elf.Symbol, place uint64) int { return cmp.Compare(s.Value, place) })
		if i > 0 {
			names = append(names, symbols[i-1].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// exported returns what a file defines for others.
func exported(t *testing.T, path string) (names []string) {
	t.Helper()
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, _ := file.DynamicSymbols() // a static program has none
	for _, s := range symbols {
		hidden := elf.ST_VISIBILITY(s.Other) == elf.STV_HIDDEN
		if s.Section != elf.SHN_UNDEF && s.Section < elf.SHN_LORESERVE && !hidden { // names of versions are absolute
			names = append(names, s.Name)
		}
	}
	return names
}

// listedNames are those of the table in docs/production.md.
func listedNames(t *testing.T) map[string]bool {
	t.Helper()
	page, err := os.ReadFile("../docs/production.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "<!-- interposed -->")
	table, _, _ = strings.Cut(table, "<!-- end of interposed -->")
	names := map[string]bool{}
	for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(table, -1) {
		names[name[1]] = true
	}
	return names
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
	for _, section := range file.Sections {
		switch section.Name {
		case ".note.gnu.property": // IBT and SHSTK, BTI and PAC
			data, _ := section.Data()
			list = append(list, fmt.Sprintf("properties %x", data))
		case ".note.gnu.build-id":
			list = append(list, "build id")
		}
	}
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		if values, err := file.DynString(tag); err == nil {
			list = append(list, values...)
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
