package machine_test

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read/arm64"
	"github.com/wherrygo/wherry/internal/read/machine"
	"github.com/wherrygo/wherry/internal/read/x86"
)

// Stores, one a line, to where the first argument points.
var stores = map[string]string{
	"x86": `
		notb (%rdi)
		notw (%rdi)
		notl (%rdi)
		notq (%rdi)
		xorl %esi, (%rdi)
		xorl $-1, (%rdi)
		xorb $-1, (%rdi)
		negl (%rdi)
		shlw $3, (%rdi)
		sete (%rdi)
		xchgl %eax, (%rdi)
		xchgb %al, (%rdi)
		xaddl %eax, (%rdi)
		xaddb %al, (%rdi)
		stosb
		stosw
		stosl
		stosq
		movbel %eax, (%rdi)
		movntil %eax, (%rdi)
		movntiq %rax, (%rdi)
		movups %xmm0, (%rdi)
		movupd %xmm0, (%rdi)
		movss %xmm0, (%rdi)
		movsd %xmm0, (%rdi)
		movlps %xmm0, (%rdi)
		movhps %xmm0, (%rdi)
		movhpd %xmm0, (%rdi)
		movaps %xmm0, (%rdi)
		movntps %xmm0, (%rdi)
		movntdq %xmm0, (%rdi)
		movntq %mm0, (%rdi)
		movdqu %xmm0, (%rdi)
		movdqa %xmm0, (%rdi)
		movq %xmm0, (%rdi)
		movd %xmm0, (%rdi)
		movd %mm0, (%rdi)
		movq %mm0, (%rdi)
		pextrb $1, %xmm0, (%rdi)
		pextrw $1, %xmm0, (%rdi)
		pextrd $1, %xmm0, (%rdi)
		pextrq $1, %xmm0, (%rdi)
		extractps $1, %xmm0, (%rdi)
		stmxcsr (%rdi)
		fstps (%rdi)
		fstpl (%rdi)
		fstpt (%rdi)
		fbstp (%rdi)
		fistps (%rdi)
		fistpl (%rdi)
		fistpll (%rdi)
		fnstcw (%rdi)
		fnstsw (%rdi)
		fnstenv (%rdi)
		fnsave (%rdi)
		fxsave (%rdi)
		sgdt (%rdi)
		avx vmovups %xmm0, (%rdi)
		avx vmovups %ymm0, (%rdi)
		avx vmovss %xmm0, (%rdi)
		avx vmovsd %xmm0, (%rdi)
		avx vmovlps %xmm0, (%rdi)
		avx vmovhpd %xmm0, (%rdi)
		avx vmovdqu %ymm0, (%rdi)
		avx vmovdqa %xmm0, (%rdi)
		avx vmovntdq %ymm0, (%rdi)
		avx vmovd %xmm0, (%rdi)
		avx vmovq %xmm0, (%rdi)
		avx vpextrb $1, %xmm0, (%rdi)
		avx vpextrq $1, %xmm0, (%rdi)
		avx vextractf128 $1, %ymm0, (%rdi)
		avx vstmxcsr (%rdi)
		avx2 vextracti128 $1, %ymm0, (%rdi)
		avx512 vmovups %zmm0, (%rdi)
		avx512 vmovdqu64 %ymm16, (%rdi)
		avx512 vmovdqu8 %xmm16, (%rdi)
		avx512 vextracti32x8 $1, %zmm0, (%rdi)
		avx512 vextracti64x2 $1, %zmm0, (%rdi)
		avx512 vpmovqb %zmm0, (%rdi)
		avx512 vpmovqw %zmm0, (%rdi)
		avx512 vpmovdb %zmm0, (%rdi)
		avx512 vpmovqd %ymm0, (%rdi)
		avx512 vpmovwb %zmm0, (%rdi)
		avx512 vpmovdw %xmm0, (%rdi)
		avx512 vcvtps2ph $0, %zmm0, (%rdi)
		avx512 kmovb %k1, (%rdi)
		avx512 kmovw %k1, (%rdi)
		avx512 kmovd %k1, (%rdi)
		avx512 kmovq %k1, (%rdi)`,
	"arm64": `
		strb w1, [x0]
		strh w1, [x0]
		str w1, [x0]
		str x1, [x0]
		str x1, [x0], #0
		stp x1, x1, [x0]
		stp w1, w1, [x0]
		str b0, [x0]
		str h0, [x0]
		str s0, [x0]
		str d0, [x0]
		str q0, [x0]
		str q0, [x0], #16
		stur q0, [x0]
		stp s0, s1, [x0]
		stp d0, d1, [x0]
		stp q0, q1, [x0]
		stp q0, q1, [x0], #32
		stnp q0, q1, [x0]
		st1 {v0.16b}, [x0]
		st1 {v0.8b}, [x0]
		st1 {v0.16b, v1.16b}, [x0]
		st1 {v0.8b, v1.8b, v2.8b}, [x0]
		st1 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0]
		st2 {v0.16b, v1.16b}, [x0]
		st3 {v0.8b, v1.8b, v2.8b}, [x0]
		st4 {v0.16b, v1.16b, v2.16b, v3.16b}, [x0]
		st1 {v0.b}[1], [x0]
		st1 {v0.h}[1], [x0]
		st1 {v0.s}[1], [x0]
		st1 {v0.d}[1], [x0]
		st2 {v0.h, v1.h}[1], [x0]
		st3 {v0.s, v1.s, v2.s}[1], [x0]
		st4 {v0.d, v1.d, v2.d, v3.d}[1], [x0]
		st4 {v0.b, v1.b, v2.b, v3.b}[1], [x0], #4
		stlr w1, [x0]
		stlrb w1, [x0]
		swp x1, x2, [x0]
		swpb w1, w2, [x0]
		ldeor w1, w2, [x0]`,
}

const runStores = `
#include <stdio.h>
#include <string.h>
extern struct { void (*code)(void *, long, void *); const char *name; int needs; } stores[];
void prepare(void);
int main(void) {
	static _Alignas(64) unsigned char b[2][1024];
	int have = 0;
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx")) have |= 1;
	if (__builtin_cpu_supports("avx2")) have |= 2;
	if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) have |= 4;
#endif
	for (int i = 0; stores[i].code; i++) {
		if (stores[i].needs & ~have) {
			printf("-1 %s\n", stores[i].name);
			continue;
		}
		int last = 0;
		for (int k = 0; k < 2; k++) {
			memset(b[k], k ? 0xaa : 0x55, 1024);
#ifdef __x86_64__
			if (have & 4) prepare();
			__asm__ volatile("fninit; fldpi; movq %%rsp, %%xmm0" ::: "xmm0");
#else
			prepare();
#endif
			stores[i].code(b[k], 0x123456789abcdefL, b[k]);
#ifdef __x86_64__
			__asm__ volatile("emms; fninit");
#endif
			for (int n = 0; n < 1024; n++) if (b[k][n] != (k ? 0xaa : 0x55) && n >= last) last = n + 1;
		}
		printf("%d %s\n", last, stores[i].name);
	}
	return 0;
}
`

// What an instruction is said to store at most is what it stores, as the
// processor does it.
func TestStored(t *testing.T) {
	for _, target := range []struct {
		name, cc, run string
		arch          interface {
			Decode(code []byte, addr uint64, inst *machine.Inst) bool
		}
	}{{"x86", "gcc", "", x86.Arch{}}, {"arm64", "aarch64-linux-gnu-gcc", "qemu-aarch64", arm64.Arch{}}} {
		t.Run(target.name, func(t *testing.T) {
			dir := t.TempDir()
			lines := strings.Split(strings.TrimSpace(stores[target.name]), "\n")
			code, table := ".text\n.globl prepare\nprepare:\n", ".data\n.globl stores\n.balign 8\nstores:\n"
			if target.name == "x86" {
				code += "kxnorq %k1, %k1, %k1\n vpternlogd $255, %zmm0, %zmm0, %zmm0\n vpternlogd $255, %zmm16, %zmm16, %zmm16\n"
			} else {
				code += "movi v0.16b, 33\n movi v1.16b, 34\n movi v2.16b, 35\n movi v3.16b, 36\n"
			}
			code += "ret\n"
			for i, line := range lines {
				needs := 0
				words := strings.Fields(line)
				if n := map[string]int{"avx": 1, "avx2": 2, "avx512": 4}[words[0]]; n > 0 {
					needs, words = n, words[1:]
				}
				lines[i] = strings.Join(words, " ")
				code += fmt.Sprintf(".globl store%d\nstore%d: %s\nret\nname%d: .string %q\n.balign 4\n", i, i, lines[i], i, lines[i])
				table += fmt.Sprintf(".quad store%d, name%d, %d\n", i, i, needs)
			}
			table += ".quad 0, 0, 0\n.section .note.GNU-stack\n"
			for name, text := range map[string]string{"stores.s": code + table, "run.c": runStores} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			build := exec.Command(target.cc, "-static", "-no-pie", "-O1", "-o", "run", "run.c", "stores.s")
			if target.name == "arm64" {
				build.Args = append(build.Args, "-march=armv8.2-a")
			}
			build.Dir = dir
			if out, err := build.CombinedOutput(); err != nil {
				t.Skipf("%s cannot build this: %v\n%s", target.cc, err, out)
			}
			program := filepath.Join(dir, "run")
			run := exec.Command(program)
			if target.run != "" {
				run = exec.Command(target.run, program)
			}
			out, err := run.Output()
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
				t.Fatalf("%d results of %d stores:\n%s", len(results), len(lines), out)
			}
			ran := 0
			for i, result := range results {
				addr := addresses[fmt.Sprintf("store%d", i)]
				var inst machine.Inst
				if !target.arch.Decode(data[addr-text.Addr:], addr, &inst) {
					t.Errorf("%s: cannot be read", lines[i])
					continue
				}
				var stored int
				fmt.Sscan(result, &stored)
				if stored < 0 {
					continue // the processor does not have it
				}
				ran++
				said := int(inst.Stored)
				if inst.Op == machine.Store {
					said = int(inst.Size)
				} else if !inst.Stores {
					said = -1
				}
				// These need not change all that they write.
				if exact := !strings.HasPrefix(lines[i], "xadd") && !strings.HasPrefix(lines[i], "fxsave"); said < stored || exact && said != stored {
					t.Errorf("%s: stores %d bytes, said to be %d", lines[i], stored, said)
				}
			}
			t.Logf("%d of %d stores were run", ran, len(lines))
		})
	}
}
