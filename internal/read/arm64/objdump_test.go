package arm64

import (
	"encoding/binary"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/read/machine"
)

var (
	line     = regexp.MustCompile(`^ +([0-9a-f]+):\t([0-9a-f]{8}) \t([a-z0-9.]+)(?:\t(.*))?$`)
	general  = regexp.MustCompile(`^[wx]([0-9]+)$`)
	moved    = regexp.MustCompile(`\[(x[0-9]+|sp)(, [^\]]*)?\](!|, #)`)
	keepsReg = regexp.MustCompile(`^(st[lu]?r|st[nz]?p|stur|stgp|stlur|sttr|b|bl|cb|tb|cmp|cmn|tst|ccmp|ccmn|ret|br|blr|msr|` +
		`prfm|dc|ic|at|tlbi|sys|rmif|setf|st2?g|stz2?g|st(add|set|clr|eor|smax|smin|umax|umin)|wfet|wfit|st[1-4])`)
	condition = map[string]machine.Cond{"b.eq": machine.Equal, "b.ne": machine.NotEqual, "b.hi": machine.Above, "b.cs": machine.AboveEqual,
		"b.cc": machine.Below, "b.ls": machine.BelowEqual}
)

// TestAgreesWithObjdump compares the whole of an arm64 C library with
// binutils: where branches lead, and that no register changes unseen.
func TestAgreesWithObjdump(t *testing.T) {
	out, err := exec.Command("aarch64-linux-gnu-objdump", "-d", "/usr/aarch64-linux-gnu/lib/libc.so.6").Output()
	if err != nil {
		t.Skipf("no arm64 binutils or C library: %v", err)
	}
	count := 0
	for text := range strings.Lines(string(out)) {
		m := line.FindStringSubmatch(strings.TrimRight(text, "\n"))
		if m == nil || m[3] == ".inst" || m[3] == ".word" {
			continue
		}
		addr, _ := strconv.ParseUint(m[1], 16, 64)
		word, _ := strconv.ParseUint(m[2], 16, 32)
		var inst machine.Inst
		if !(Arch{}).Decode(binary.LittleEndian.AppendUint32(nil, uint32(word)), addr, &inst) {
			t.Errorf("not decoded: %s", text)
			continue
		}
		count++
		compare(t, text, m[3], m[4], &inst)
		if t.Failed() && count > 400000 {
			break
		}
	}
	t.Logf("%d instructions", count)
	if count < 100000 {
		t.Errorf("only %d instructions", count)
	}
}

func compare(t *testing.T, text, mnemonic, operands string, inst *machine.Inst) {
	written := inst.Writes
	if inst.Dst != machine.NoReg {
		written |= 1 << inst.Dst
	}
	words := strings.FieldsFunc(operands, func(r rune) bool { return r == ',' || r == ' ' })
	target := func(word string) {
		if want, err := strconv.ParseUint(word, 16, 64); err != nil || inst.Target != want {
			t.Errorf("target %#x: %s", inst.Target, text)
		}
	}
	flow := machine.Next
	switch {
	case mnemonic == "b" || mnemonic == "b.al":
		flow = machine.Jump
		target(words[0])
	case mnemonic == "bl":
		flow = machine.Call
		target(words[0])
	case strings.HasPrefix(mnemonic, "b."):
		flow = machine.Branch
		target(words[0])
		if inst.Cond != condition[mnemonic] {
			t.Errorf("condition %d: %s", inst.Cond, text)
		}
	case mnemonic == "cbz" || mnemonic == "cbnz":
		flow = machine.Branch
		target(words[1])
	case mnemonic == "tbz" || mnemonic == "tbnz":
		flow = machine.Branch
		target(words[2])
	case mnemonic == "ret" || mnemonic == "retaa" || mnemonic == "retab":
		flow = machine.Return
		if operands != "" {
			flow = machine.JumpReg // not to where the link register says
		}
	case mnemonic == "br":
		flow = machine.JumpReg
	case mnemonic == "blr":
		flow = machine.CallReg
	case mnemonic == "svc":
		flow = machine.Syscall
	case mnemonic == "brk" || mnemonic == "hlt" || mnemonic == "udf":
		flow = machine.Trap
	}
	if inst.Flow != flow {
		t.Errorf("flow %d, want %d: %s", inst.Flow, flow, text)
	}
	if m := moved.FindStringSubmatch(operands); m != nil {
		base := 31
		if m[1] != "sp" {
			base, _ = strconv.Atoi(m[1][1:])
		}
		if written&(1<<base) == 0 {
			t.Errorf("base register not moved: %s", text)
		}
	}
	if keepsReg.MatchString(mnemonic) || len(words) == 0 {
		return
	}
	results := words[:1]
	if strings.HasPrefix(mnemonic, "ldp") || strings.HasPrefix(mnemonic, "ldxp") || strings.HasPrefix(mnemonic, "ldaxp") ||
		strings.HasPrefix(mnemonic, "ldnp") {
		results = words[:2]
	}
	for _, word := range results {
		number := 31
		if m := general.FindStringSubmatch(word); m != nil {
			number, _ = strconv.Atoi(m[1])
		} else if word != "sp" && word != "wsp" {
			continue
		}
		if written&(1<<number) == 0 {
			t.Errorf("%s changes unseen: %s", word, text)
		}
	}
}
