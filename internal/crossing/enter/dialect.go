package enter

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A rule translates an instruction: a pattern of GNU syntax, in which $N are operands
// of the kinds below, and what Go's assembler has for it.
type rule struct{ gnu, goes string }

// The instructions of the call, and no others: one that is unknown is an error.
var rules = map[string][]rule{
	"amd64": {
		{"movq OP, OP", "MOVQ $1, $2"},
		{"movb OP, OP", "MOVB $1, $2"},
		{"movl %fs:\\(%r15\\), %edx", "BYTE $$0x64; BYTE $$0x41; BYTE $$0x8b; BYTE $$0x17 // MOVL FS:(R15), DX"},
		{"movl \\$0, %fs:\\(%r15\\)", "BYTE $$0x64; BYTE $$0x41; BYTE $$0xc7; BYTE $$0x07; LONG $$0 // MOVL $$0, FS:(R15)"},
		{"movl OP, OP", "MOVL $1, $2"},
		{"leaq OP, OP", "LEAQ $1, $2"},
		{"andq OP, OP", "ANDQ $1, $2"},
		{"subq OP, OP", "SUBQ $1, $2"},
		{"testq OP, OP", "TESTQ $1, $2"},
		{"cmpq OP, OP", "CMPQ $2, $1"},
		{"xorps OP, OP", "XORPS $1, $2"},
		{"jbe LABEL", "JLS l$1"},
		{"jz LABEL", "JEQ l$1"},
		{"jl LABEL", "JLT l$1"},
		{"jmp LABEL", "JMP l$1"},
		{"jmp \\*OP", "JMP $1"},
		{"call \\*OP", "CALL $1"},
		{"ret", "RET"},
	},
	"arm64": {
		{"ldr (x\\d+), MEM", "MOVD $2, $1"},
		{"ldr (w\\d+), MEM", "MOVWU $2, $1"},
		{"str (x\\d+|xzr), MEM", "MOVD $1, $2"},
		{"str (wzr), MEM", "MOVW $1, $2"},
		{"strb (w\\d+|wzr), MEM", "MOVB $1, $2"},
		{"mov OP, OP", "MOVD $2, $1"},
		{"and OP, OP, OP", "AND $3, $2, $1"},
		{"add OP, OP, OP", "ADD $3, $2, $1"},
		{"sub OP, OP, OP", "SUB $3, $2, $1"},
		{"cmp OP, OP", "CMP $2, $1"},
		{"b\\.ls LABEL", "BLS l$1"},
		{"br OP", "JMP ($1)"},
		{"mrs OP, tpidr_el0", "MRS TPIDR_EL0, $1"},
		{"cbz OP, LABEL", "CBZ $1, l$2"},
		{"b LABEL", "JMP l$1"},
		{"blr OP", "CALL ($1)"},
		{"ret OP", "RET ($1)"},
	},
}

// The kinds of operands.
var kinds = map[string]*strings.Replacer{
	"amd64": strings.NewReplacer("OP", `((?:\$-?|)[\w.-]*(?:\([%\w,]+\))?|%\w+)`, "LABEL", `(\d)[fb]`),
	"arm64": strings.NewReplacer("OP", `(#?-?\w+)`, "MEM", `(\[[^]]+\])`, "LABEL", `(\d)[fb]`),
}

var (
	gnuLabel = regexp.MustCompile(`^(\d):\s*(.*)$`)

	amd64Register = regexp.MustCompile(`%([er]?)([a-z]+\d*)\b|%r(\d+)`)
	amd64Indexed  = regexp.MustCompile(`\((\w+),(\w+)\)`)

	arm64Based    = regexp.MustCompile(`\[(\w+)(?:, #([\w]+)|, (\w+))?\]`)
	arm64Register = regexp.MustCompile(`\b[xw](\d+|zr)\b|\bsp\b`)
)

// goAssembly translates a finished call for Go's assembler, from its label to its end.
func goAssembly(goarch, name, symbol string, lines []string) ([]string, error) {
	begin := slices.Index(lines, symbol+":")
	end := slices.Index(lines, "\t.cfi_endproc")
	if begin < 0 || end < begin {
		return nil, fmt.Errorf("enter: call_%s.gas: no %s: and .cfi_endproc", goarch, symbol)
	}
	text := []string{"TEXT ·" + name + "(SB), NOSPLIT|NOFRAME, $0-0"}
	for _, line := range lines[:begin] {
		if n, err := strconv.Atoi(strings.TrimPrefix(line, "\t.p2align ")); err == nil {
			text = append(text, fmt.Sprintf("\tPCALIGN $%d", 1<<n)) // where it lies shows in its time
		}
	}
	for _, line := range lines[begin+1 : end] {
		if label := gnuLabel.FindStringSubmatch(line); label != nil {
			text = append(text, "l"+label[1]+":")
			line = label[2]
		}
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, ".cfi_") {
			continue
		}
		goes, ok := goInstruction(goarch, line)
		if !ok {
			return nil, fmt.Errorf("enter: call_%s.gas: %q: no rule to translate it; add one to dialect.go", goarch, line)
		}
		text = append(text, "\t"+goes)
	}
	return append(text, ""), nil
}

func goInstruction(goarch, line string) (string, bool) {
	for _, r := range rules[goarch] {
		pattern := regexp.MustCompile("^" + kinds[goarch].Replace(r.gnu) + "$")
		if m := pattern.FindStringSubmatchIndex(line); m != nil {
			goes := string(pattern.ExpandString(nil, r.goes, line, m))
			if strings.Contains(goes, "BYTE") {
				return goes, true
			}
			if goarch == "amd64" {
				return amd64Operands(goes), true
			}
			return arm64Operands(goes), true
		}
	}
	return "", false
}

// amd64Operands writes operands as Go does: AX for %rax and %eax, R8 for %r8.
func amd64Operands(text string) string {
	text = amd64Register.ReplaceAllStringFunc(text, func(register string) string {
		name := strings.ToUpper(register[1:])
		switch {
		case strings.HasPrefix(name, "XMM"):
			return "X" + name[3:]
		case name[0] == 'R' && name[1] <= '9':
			return name
		}
		return name[1:]
	})
	return amd64Indexed.ReplaceAllString(text, "($1)($2*1)")
}

// arm64Operands does it there: R8 for x8 and w8, 16(R8) for [x8, #16].
func arm64Operands(text string) string {
	text = arm64Based.ReplaceAllStringFunc(text, func(memory string) string {
		m := arm64Based.FindStringSubmatch(memory)
		if m[3] != "" {
			return "(" + m[1] + ")(" + m[3] + ")"
		}
		return m[2] + "(" + m[1] + ")"
	})
	text = arm64Register.ReplaceAllStringFunc(text, func(register string) string {
		switch register {
		case "sp":
			return "RSP"
		case "x28":
			return "g"
		case "xzr", "wzr":
			return "ZR"
		}
		return "R" + register[1:]
	})
	return strings.ReplaceAll(text, "#", "$")
}
