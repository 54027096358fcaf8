package enter

import (
	"strconv"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/inflight"
	"github.com/wherrygo/wherry/internal/crossing/rt"
)

// A bound is a call of C by package direct.
type bound struct {
	goName string // in zenter_ARCH.s
	Stub
}

// bounds are all of them, for funcs and for stubs. The first two of each are the code of
// funcs whose arguments are where C wants them, the others are for code that brings them
// there. A stub's arguments may point at the goroutine's stack, so C must not call back.
func bounds(goarch string) (all []bound) {
	for _, of := range []Stub{
		{Symbol: "_wherry_bound1_", Name: "a func of package direct"},
		{Symbol: "_wherry_stub1_", Name: "a stub of wherry gen", Flags: inflight.NoCallback, Promised: "wherry gen"},
	} {
		of.Target, of.Package, of.Integers = "0", "github.com/wherrygo/wherry/direct", MaxIntegers(goarch)
		of.Shared, of.Two, of.bound = true, true, true
		of.Flags |= inflight.Always
		call := func(goName string, full, wary bool) {
			stub := of
			stub.Symbol, stub.full, stub.wary = of.Symbol+goName, full, wary
			all = append(all, bound{goName, stub})
		}
		call("straight", false, true)
		call("straightErrno", true, true)
		call("enter", false, false)
		call("enterFull", true, false)
	}
	return all
}

// reentrant is the call of a func that direct.Reentrant made, of fn(arg) on a C stack.
func reentrant() Stub {
	return Stub{Symbol: "_wherry_reentrant1", Target: "_wherry_call_reentrant", Integers: 2, Name: "a func of direct.Reentrant",
		Package: "github.com/wherrygo/wherry/direct", Flags: inflight.MaySwitch | inflight.ByUser, OnStack: true, Shared: true}
}

// bindingNames returns where a binding's fields are.
func bindingNames(goarch string) map[string]string {
	m := abi.ForArch(goarch)
	if m == nil {
		return nil // that there is no assembly for it is said later
	}
	names := map[string]string{}
	for name, offset := range map[string]int{"BINDING_FN": abi.BindingFn, "BINDING_STACK": abi.BindingStack,
		"BINDING_ERRNO": abi.BindingErrno, "BINDING_SLOW": abi.BindingSlow, "STACK_AREA": m.StackArea} {
		names[name] = strconv.Itoa(offset)
	}
	return names
}

// plainWords are the offsets in a program that is built plainly: constants of package
// direct. The mark in g.throwsplit is the runtime's own.
var plainWords = map[string]string{
	"G_STACKGUARD0": "const_gStackGuard0", "G_M": "const_gM", "G_SCHED_SP": "const_gSchedSP",
	"G_THROWSPLIT": "const_gThrowSplit", "M_G0": "const_mG0",
	"M_VDSOPC": "const_mVdsoPC", "M_VDSOSP": "const_mVdsoSP", "IN_FLIGHT": "1",
}

// Plain returns the same calls for Go's assembler, as they are in a program that is
// built plainly, where no call is turned.
func Plain(goarch string) ([]string, error) {
	var text []string
	for _, stub := range bounds(goarch) {
		if stub.Flags&inflight.NoCallback != 0 {
			continue // nothing can call back there
		}
		words := stub.words(goarch)
		for name, word := range plainWords {
			words[name] = word
		}
		lines, err := fill("call_"+goarch+".gas", goarch, words, rt.Offsets{}, func(tag string) bool {
			return tag != "FLIGHT" && tag != "SLOT" && stub.keeps(tag)
		})
		if err != nil {
			return nil, err
		}
		lines, err = goAssembly(goarch, stub.goName, stub.Symbol, lines)
		if err != nil {
			return nil, err
		}
		text = append(text, lines...)
	}
	return text, nil
}
