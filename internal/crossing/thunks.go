package crossing

import (
	"fmt"
	"slices"
	"strings"
)

const realSize = 8 // bytes

// thunk is a function that goes to _wherry_blocks, with the address of its place in the table in a
// register that is free between a call and a function's begin. Other lines may come first.
func (i *interposition) thunk(name, version string, at int, first ...string) string {
	var lines []string
	if i.Hidden {
		lines = append(lines, ".hidden "+name)
	}
	switch {
	case version != "" && i.behind: // the assembler would define the name without a version too
		lines = append(lines, fmt.Sprintf(".symver _wherry_at_%s, %[1]s@%s", name, version))
		name = "_wherry_at_" + name
	case version != "":
		lines = append(lines, fmt.Sprintf(".symver %s, %[1]s@@@%s", name, version))
	}
	lines = append(lines, ".weak "+name, ".type "+name+", STT_FUNC", name+":")
	lines = append(lines, first...)
	if i.GOARCH == "amd64" {
		lines = append(lines, fmt.Sprintf("leaq _wherry_reals+%d(%%rip), %%r11", at*realSize), "jmp _wherry_blocks")
	} else {
		lines = append(lines, fmt.Sprintf("adrp x16, _wherry_reals+%d", at*realSize),
			fmt.Sprintf("add x16, x16, :lo12:_wherry_reals+%d", at*realSize), "b _wherry_blocks")
	}
	lines = append(lines, ".size "+name+", .-"+name)
	var text strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&text, "\t%q\n", line+"\n")
	}
	return text.String()
}

// looksFirst calls the function of one that is noted, which has at most three arguments, and keeps them.
var looksFirst = map[string][]string{
	"amd64": {".cfi_startproc", "pushq %rdi", ".cfi_adjust_cfa_offset 8", "pushq %rsi", ".cfi_adjust_cfa_offset 8", "pushq %rdx",
		".cfi_adjust_cfa_offset 8", "call ", "popq %rdx", ".cfi_adjust_cfa_offset -8", "popq %rsi", ".cfi_adjust_cfa_offset -8", "popq %rdi",
		".cfi_adjust_cfa_offset -8", ".cfi_endproc"},
	"arm64": {".cfi_startproc", "stp x0, x1, [sp, #-32]!", ".cfi_adjust_cfa_offset 32", "stp x2, x30, [sp, #16]", ".cfi_rel_offset x30, 24",
		"bl ", "ldp x2, x30, [sp, #16]", "ldp x0, x1, [sp], #32", ".cfi_adjust_cfa_offset -32", ".cfi_restore x30", ".cfi_endproc"},
}

// variadic are the buffered functions whose arguments only the caller knows: a function that looks at the first ones
// comes first, and what it returns is jumped to.
var variadic = []string{"fprintf", "__fprintf_chk", "printf", "__printf_chk"}

// asksFirst calls that function and keeps all registers of arguments.
var asksFirst = map[string][]string{
	"amd64": asksAMD64("rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9"),
	"arm64": {".cfi_startproc", "sub sp, sp, #208", ".cfi_adjust_cfa_offset 208",
		"stp x0, x1, [sp]", "stp x2, x3, [sp, #16]", "stp x4, x5, [sp, #32]", "stp x6, x7, [sp, #48]", "stp x8, x30, [sp, #64]",
		".cfi_rel_offset x30, 72", "stp q0, q1, [sp, #80]", "stp q2, q3, [sp, #112]", "stp q4, q5, [sp, #144]", "stp q6, q7, [sp, #176]",
		"bl ", "mov x16, x0",
		"ldp x0, x1, [sp]", "ldp x2, x3, [sp, #16]", "ldp x4, x5, [sp, #32]", "ldp x6, x7, [sp, #48]", "ldp x8, x30, [sp, #64]",
		"ldp q0, q1, [sp, #80]", "ldp q2, q3, [sp, #112]", "ldp q4, q5, [sp, #144]", "ldp q6, q7, [sp, #176]",
		"add sp, sp, #208", ".cfi_adjust_cfa_offset -208", ".cfi_restore x30", "cbz x16, 1f", "br x16", "1:", ".cfi_endproc"},
}

func asksAMD64(registers ...string) []string {
	lines := []string{".cfi_startproc"}
	for _, r := range registers {
		lines = append(lines, "pushq %"+r, ".cfi_adjust_cfa_offset 8")
	}
	lines = append(lines, "subq $128, %rsp", ".cfi_adjust_cfa_offset 128", "testb %al, %al", "jz 1f") // no vector registers
	for i := range 8 {
		lines = append(lines, fmt.Sprintf("movups %%xmm%d, %d(%%rsp)", i, 16*i))
	}
	lines = append(lines, "1:", "call ", "movq %rax, %r11", "cmpb $0, 176(%rsp)", "jz 1f") // rax, pushed first
	for i := range 8 {
		lines = append(lines, fmt.Sprintf("movups %d(%%rsp), %%xmm%d", 16*i, i))
	}
	lines = append(lines, "1:", "addq $128, %rsp", ".cfi_adjust_cfa_offset -128")
	for _, r := range slices.Backward(registers) {
		lines = append(lines, "popq %"+r, ".cfi_adjust_cfa_offset -8")
	}
	return append(lines, "testq %r11, %r11", "jz 1f", "jmp *%r11", "1:", ".cfi_endproc")
}

// calling puts a function's name behind the lines that end with a space.
func calling(function string, lines []string) (all []string) {
	for _, line := range lines {
		if strings.HasSuffix(line, " ") {
			line += function
		}
		all = append(all, line)
	}
	return all
}
