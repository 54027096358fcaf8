package x86

import (
	"bufio"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read/machine"
)

// libraries are the binaries of this system that the tests decode. WHERRY_ALL
// takes all shared libraries instead of the first few.
func libraries(t *testing.T) []string {
	t.Helper()
	var found []string
	// Not libcrypto: its assembly has tables of constants between functions,
	// which objdump reads as code.
	names := []string{"libc.so.6", "libm.so.6", "libstdc++.so.6", "libz.so.1", "libgmp.so.10"}
	if os.Getenv("WHERRY_ALL") != "" {
		names = []string{"*.so*"}
	}
	for _, name := range names {
		matches, _ := filepath.Glob("/usr/lib/x86_64-linux-gnu/" + name)
		found = append(found, matches...)
	}
	if len(found) == 0 {
		t.Skip("no x86-64 libraries on this machine")
	}
	if _, err := exec.LookPath("objdump"); err != nil {
		t.Skip("objdump is not installed")
	}
	return found
}

// TestAgreesWithObjdump compares, instruction by instruction, lengths, where
// branches lead, and which general register the last operand names.
func TestAgreesWithObjdump(t *testing.T) {
	for _, path := range libraries(t) {
		if target, _ := filepath.EvalSymlinks(path); target != path && os.Getenv("WHERRY_ALL") != "" {
			continue
		}
		file, err := elf.Open(path)
		if err != nil {
			continue // a linker script
		}
		if file.Machine != elf.EM_X86_64 {
			continue
		}
		compared, bad := 0, 0
		sections := map[string]*elf.Section{}
		for _, s := range file.Sections {
			if s.Flags&elf.SHF_EXECINSTR != 0 && s.Type == elf.SHT_PROGBITS {
				sections[s.Name] = s
			}
		}
		var section *elf.Section
		var code []byte
		cmd := exec.Command("objdump", "-d", "--no-show-raw-insn", "-w", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var lastAddr uint64
		var lastText string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			line := lines.Text()
			if name, ok := strings.CutPrefix(line, "Disassembly of section "); ok {
				section = sections[strings.TrimSuffix(name, ":")]
				lastText = ""
				if section != nil {
					code, _ = section.Data()
				}
				continue
			}
			head, text, ok := strings.Cut(line, ":\t")
			if strings.TrimSpace(line) == "..." {
				lastText = "" // zeros that are left out
			}
			if !ok || section == nil {
				continue
			}
			addr, err := strconv.ParseUint(strings.TrimSpace(head), 16, 64)
			if err != nil {
				continue
			}
			// binutils takes a wait for a prefix of what follows.
			if lastText != "" && code[lastAddr-section.Addr] != 0x9b && !strings.Contains(lastText, "(bad)") && lastAddr < addr {
				if message := compare(code[lastAddr-section.Addr:], lastAddr, addr, lastText); message != "" {
					if bad++; bad <= 10 {
						t.Errorf("%s: %x: %s: %s", filepath.Base(path), lastAddr, lastText, message)
					}
				}
				compared++
			}
			lastAddr, lastText = addr, text
		}
		cmd.Wait()
		t.Logf("%s: %d instructions, %d differ", filepath.Base(path), compared, bad)
		file.Close()
	}
}

var (
	lastRegister = regexp.MustCompile(`(?:^|[ ,])%(r[a-ds][xipl]|r[sb]p|e[a-ds][xip]|e[sb]p|[a-d][lhx]|[sd]il?|[sb]pl?|r\d+[dwb]?)$`)
	branchTarget = regexp.MustCompile(`^(?:bnd |notrack |data16 |rex.W |repz |cs |ds )*(j\w+|call|loop\w*)(?:,p[nt])? +([0-9a-f]+) <`)
	// readers name a register last without changing it.
	readers = regexp.MustCompile(`^(i?mul[lq]? +%\w+$|i?div[lq]? |xchg +%ax,%ax|xchg +%eax,%eax|cmp|test|push|call|jmp|` +
		`bt[lwq]? |v?u?comis|nop|lods|scas|out|kortest|verr|verw|lldt|ltr|lmsw|` +
		`wr[fgsp]|vptest|ptest|inc?ssp|prefetch|cl|mov[lwq]? +%.*%[cd]r|ud1|ud0|bt)`)
)

func compare(code []byte, addr, next uint64, text string) string {
	text, _, _ = strings.Cut(text, "#")
	text = strings.TrimSpace(text)
	var inst machine.Inst
	if !(Arch{}).Decode(code, addr, &inst) {
		return "not decoded"
	}
	length := next - addr
	if uint64(inst.Len) != length {
		return "length " + strconv.Itoa(int(inst.Len)) + ", want " + strconv.Itoa(int(length))
	}
	if m := branchTarget.FindStringSubmatch(text); m != nil {
		if want, _ := strconv.ParseUint(m[2], 16, 64); inst.Target != want {
			return "target " + strconv.FormatUint(inst.Target, 16)
		}
		return ""
	}
	bare := strings.TrimLeft(text, " ")
	for _, prefix := range []string{"lock ", "rep ", "repz ", "repnz ", "bnd ", "notrack ", "data16 ", "cs ", "ds ", "es ", "ss ", "xacquire ",
		"xrelease ", "rex.W ", "rex "} {
		bare = strings.TrimPrefix(bare, prefix)
	}
	m := lastRegister.FindStringSubmatch(bare)
	if m == nil || readers.MatchString(bare) {
		// It must not be said to change the stack pointer.
		if inst.Writes&(1<<SP) != 0 && !strings.Contains(bare, "%rsp") && !strings.Contains(bare, "%sp") && !strings.Contains(bare, "%esp") &&
			!strings.HasPrefix(bare, "enter") {
			return "said to change rsp"
		}
		return ""
	}
	r := register(m[1])
	if inst.Dst != r && inst.Writes&(1<<r) == 0 {
		return "change of %" + m[1] + " not seen"
	}
	return ""
}

// register returns the number of a register by any of its names.
func register(name string) machine.Reg {
	if n, err := strconv.Atoi(strings.TrimRight(strings.TrimPrefix(name, "r"), "dwb")); err == nil {
		return machine.Reg(n)
	}
	if len(name) == 3 && (name[0] == 'r' || name[0] == 'e') {
		name = name[1:]
	}
	for i, names := range []string{"ax al ah", "cx cl ch", "dx dl dh", "bx bl bh", "sp spl", "bp bpl", "si sil", "di dil"} {
		for _, n := range strings.Fields(names) {
			if n == name {
				return machine.Reg(i)
			}
		}
	}
	return machine.NoReg
}
