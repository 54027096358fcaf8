package machine_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read/machine"
	"github.com/wherrygo/wherry/internal/read/x86"
)

// Instructions with a memory operand at the first argument: where they fault unless that is
// aligned, the processor says.
const accesses = `
	movl (%rdi), %eax
	movq %rax, (%rdi)
	lock xaddq %rax, (%rdi)
	bsfl (%rdi), %eax
	imulw (%rdi), %ax
	fldt (%rdi)
	fstpt (%rdi)
	movups (%rdi), %xmm0
	movups %xmm0, (%rdi)
	movupd (%rdi), %xmm0
	movss (%rdi), %xmm0
	movsd %xmm0, (%rdi)
	movlps (%rdi), %xmm0
	movhps (%rdi), %xmm0
	movhpd %xmm0, (%rdi)
	movddup (%rdi), %xmm0
	movshdup (%rdi), %xmm0
	movsldup (%rdi), %xmm0
	unpcklps (%rdi), %xmm0
	unpckhpd (%rdi), %xmm0
	movaps (%rdi), %xmm0
	movaps %xmm0, (%rdi)
	movapd (%rdi), %xmm0
	movapd %xmm0, 16(%rdi)
	movaps %xmm8, (%rdi,%rdx)
	cvtpi2ps (%rdi), %xmm0
	cvtpi2pd (%rdi), %xmm0
	cvtsi2sdl (%rdi), %xmm0
	cvttps2pi (%rdi), %mm0
	cvttpd2pi (%rdi), %mm0
	cvtpd2pi (%rdi), %mm0
	cvttsd2si (%rdi), %rax
	movntps %xmm0, (%rdi)
	movntpd %xmm0, (%rdi)
	ucomiss (%rdi), %xmm0
	comisd (%rdi), %xmm0
	sqrtps (%rdi), %xmm0
	sqrtss (%rdi), %xmm0
	rsqrtps (%rdi), %xmm0
	rcpss (%rdi), %xmm0
	andps (%rdi), %xmm0
	xorpd (%rdi), %xmm0
	addps (%rdi), %xmm0
	addpd (%rdi), %xmm0
	addss (%rdi), %xmm0
	mulsd (%rdi), %xmm0
	cvtps2pd (%rdi), %xmm0
	cvtpd2ps (%rdi), %xmm0
	cvtss2sd (%rdi), %xmm0
	cvtdq2ps (%rdi), %xmm0
	cvtps2dq (%rdi), %xmm0
	cvttps2dq (%rdi), %xmm0
	cvtdq2pd (%rdi), %xmm0
	cvtpd2dq (%rdi), %xmm0
	cvttpd2dq (%rdi), %xmm0
	minpd (%rdi), %xmm0
	maxss (%rdi), %xmm0
	punpcklbw (%rdi), %xmm0
	punpcklbw (%rdi), %mm0
	packssdw (%rdi), %xmm0
	packssdw (%rdi), %mm0
	punpcklqdq (%rdi), %xmm0
	pcmpgtd (%rdi), %xmm0
	movd (%rdi), %xmm0
	movd %xmm0, (%rdi)
	movq (%rdi), %xmm0
	movq %xmm0, (%rdi)
	movq (%rdi), %mm0
	movq %mm0, (%rdi)
	movdqa (%rdi), %xmm0
	movdqa %xmm0, (%rdi)
	movdqu (%rdi), %xmm0
	movdqu %xmm0, (%rdi)
	pshufd $1, (%rdi), %xmm0
	pshufhw $1, (%rdi), %xmm0
	pshuflw $1, (%rdi), %xmm0
	pshufw $1, (%rdi), %mm0
	pcmpeqb (%rdi), %xmm0
	pcmpeqb (%rdi), %mm0
	haddps (%rdi), %xmm0
	hsubpd (%rdi), %xmm0
	cmpltps (%rdi), %xmm0
	cmpltsd (%rdi), %xmm0
	movntil %eax, (%rdi)
	pinsrw $1, (%rdi), %xmm0
	shufps $1, (%rdi), %xmm0
	shufpd $1, (%rdi), %xmm0
	addsubps (%rdi), %xmm0
	psrlw (%rdi), %xmm0
	psllq (%rdi), %xmm0
	psllq (%rdi), %mm0
	paddq (%rdi), %xmm0
	paddq (%rdi), %mm0
	pmullw (%rdi), %xmm0
	por (%rdi), %xmm0
	pxor (%rdi), %xmm0
	pxor (%rdi), %mm0
	psubb (%rdi), %xmm0
	pmuludq (%rdi), %xmm0
	psadbw (%rdi), %xmm0
	movntdq %xmm0, (%rdi)
	movntq %mm0, (%rdi)
	lddqu (%rdi), %xmm0
	maskmovdqu %xmm1, %xmm0
	pshufb (%rdi), %xmm0
	pshufb (%rdi), %mm0
	pabsb (%rdi), %xmm0
	palignr $1, (%rdi), %xmm0
	palignr $1, (%rdi), %mm0
	blendvps (%rdi), %xmm1
	ptest (%rdi), %xmm0
	pmovsxbw (%rdi), %xmm0
	pmovzxbq (%rdi), %xmm0
	pmovzxdq (%rdi), %xmm0
	movntdqa (%rdi), %xmm0
	packusdw (%rdi), %xmm0
	pminsb (%rdi), %xmm0
	pmulld (%rdi), %xmm0
	pcmpgtq (%rdi), %xmm0
	phminposuw (%rdi), %xmm0
	roundps $1, (%rdi), %xmm0
	roundpd $1, (%rdi), %xmm0
	roundss $1, (%rdi), %xmm0
	roundsd $1, (%rdi), %xmm0
	blendps $1, (%rdi), %xmm0
	pblendw $1, (%rdi), %xmm0
	pextrb $1, %xmm0, (%rdi)
	pextrw $1, %xmm0, (%rdi)
	pextrq $1, %xmm0, (%rdi)
	extractps $1, %xmm0, (%rdi)
	pinsrb $1, (%rdi), %xmm0
	pinsrq $1, (%rdi), %xmm0
	insertps $1, (%rdi), %xmm0
	dpps $1, (%rdi), %xmm0
	mpsadbw $1, (%rdi), %xmm0
	pcmpistri $1, (%rdi), %xmm0
	pcmpistrm $1, (%rdi), %xmm0
	crc32b (%rdi), %eax
	crc32q (%rdi), %rax
	movbel (%rdi), %eax
	movbel %eax, (%rdi)
	popcntl (%rdi), %eax
	aesenc (%rdi), %xmm0
	aeskeygenassist $1, (%rdi), %xmm0
	pclmulqdq $1, (%rdi), %xmm0
	sha1nexte (%rdi), %xmm0
	sha256msg1 (%rdi), %xmm0
	sha1rnds4 $1, (%rdi), %xmm0
	gf2p8mulb (%rdi), %xmm0
	gf2p8affineqb $1, (%rdi), %xmm0
	adcxq (%rdi), %rax
	adoxq (%rdi), %rax
	fxsave (%rdi)
	xsave (%rdi)
	xsavec (%rdi)
	ldmxcsr (%rdi)
	stmxcsr (%rdi)
	clflush (%rdi)
	cmpxchg8b (%rdi)
	cmpxchg16b (%rdi)
	lock cmpxchg16b (%rdi)
	movdir64b (%rdi), %rdi
	vmovups (%rdi), %ymm0
	vmovaps (%rdi), %xmm0
	vmovaps %ymm0, (%rdi)
	vmovapd (%rdi), %ymm0
	vmovdqa (%rdi), %xmm0
	vmovdqa %ymm0, (%rdi)
	vmovdqu (%rdi), %ymm0
	vmovntps %ymm0, (%rdi)
	vmovntpd %xmm0, (%rdi)
	vmovntdq %ymm0, (%rdi)
	vmovntdqa (%rdi), %xmm0
	vmovntdqa (%rdi), %ymm0
	vaddps (%rdi), %ymm0, %ymm0
	vpaddb (%rdi), %xmm0, %xmm0
	vpshufb (%rdi), %xmm0, %xmm0
	vlddqu (%rdi), %xmm0
	vbroadcastss (%rdi), %ymm0
	vbroadcastf128 (%rdi), %ymm0
	vinsertf128 $1, (%rdi), %ymm0, %ymm0
	vextractf128 $1, %ymm0, (%rdi)
	vmaskmovps (%rdi), %ymm1, %ymm0
	vcvtps2ph $1, %ymm0, (%rdi)
	vaesenc (%rdi), %xmm0, %xmm0
	vmovaps (%rdi), %zmm0
	vmovapd %zmm0, (%rdi)
	vmovdqa32 (%rdi), %zmm0
	vmovdqa64 %ymm16, (%rdi)
	vmovdqu8 (%rdi), %zmm0
	vmovdqu64 %zmm0, (%rdi)
	vmovntdq %zmm0, (%rdi)
	vmovntdqa (%rdi), %zmm0
	vpaddd (%rdi), %zmm0, %zmm0
	vaddps (%rdi){1to16}, %zmm0, %zmm0
	vpternlogd $255, (%rdi), %zmm0, %zmm0
	vpmovdb %zmm0, (%rdi)`

// An access is tried at an address that is a multiple of 8 only: 1 if it faults, 2 if the
// processor does not have it.
const runAccesses = `
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
extern struct { void (*code)(void *, long, long); const char *name; } accesses[];
static sigjmp_buf back;
static void caught(int sig) { siglongjmp(back, sig == SIGILL ? 2 : 1); }
int main(void) {
	static _Alignas(64) char memory[8192];
	signal(SIGSEGV, caught), signal(SIGBUS, caught), signal(SIGILL, caught);
	for (int i = 0; accesses[i].code; i++) {
		int how = sigsetjmp(back, 1);
		if (how == 0) memset(memory, 0, sizeof memory);
		if (how == 0) {
			__asm__ volatile("xor %%eax, %%eax; xor %%edx, %%edx" ::: "eax", "edx");
			accesses[i].code(memory + 64 + 8, 0, 0);
			__asm__ volatile("emms");
		}
		printf("%d %s\n", how, accesses[i].name);
	}
	return 0;
}
`

// An instruction is said to demand alignment exactly where the processor does.
func TestStrict(t *testing.T) {
	dir := t.TempDir()
	lines := strings.Split(strings.TrimSpace(accesses), "\n")
	code, table := ".text\n", ".data\n.balign 8\n.globl accesses\naccesses:\n"
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
		code += fmt.Sprintf(".globl access%d\naccess%d: %s\nret\nname%d: .string %q\n", i, i, lines[i], i, lines[i])
		table += fmt.Sprintf(".quad access%d, name%d\n", i, i)
	}
	table += ".quad 0, 0\n.section .note.GNU-stack\n"
	for name, text := range map[string]string{"accesses.s": code + table, "run.c": runAccesses} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("gcc", "-static", "-no-pie", "-o", "run", "run.c", "accesses.s")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("gcc cannot build this: %v\n%s", err, out)
	}
	program := filepath.Join(dir, "run")
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Skipf("this machine cannot run it: %v", err)
	}
	file, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	addresses := map[string]uint64{}
	for _, s := range symbols {
		addresses[s.Name] = s.Value
	}
	text := file.Section(".text")
	data, err := text.Data()
	if err != nil {
		t.Fatal(err)
	}
	results := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(results) != len(lines) {
		t.Fatalf("%d results of %d accesses:\n%s", len(results), len(lines), out)
	}
	ran := 0
	for i, result := range results {
		addr := addresses[fmt.Sprintf("access%d", i)]
		var inst machine.Inst
		if !(x86.Arch{}).Decode(data[addr-text.Addr:], addr, &inst) {
			t.Errorf("%s: cannot be read", lines[i])
		}
		if result[0] == '2' {
			continue
		}
		ran++
		lenient := strings.Contains(result, " sha") && inst.Strict // not all processors demand it
		if inst.Strict != (result[0] == '1') && !lenient {
			t.Errorf("%s: is said to demand alignment: %v", result, inst.Strict)
		}
	}
	t.Logf("%d of %d were run", ran, len(lines))
}
