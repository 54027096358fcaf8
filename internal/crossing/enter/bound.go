package enter

import (
	"strconv"

	"github.com/wherrygo/wherry/internal/crossing/abi"
	"github.com/wherrygo/wherry/internal/crossing/rt"
)

// A bound is a call of C by package direct.
type bound struct {
	goName string // in zenter_ARCH.s
	Stub
}

// bounds are all of them. The number in their symbols is that of a binding's layout. The
// first two are the code of funcs whose arguments are where C wants them, the others are
// for code that brings them there.
func bounds(goarch string) []bound {
	call := func(goName string, full, wary bool) bound {
		return bound{goName, Stub{Symbol: "_wherry_bound2_" + goName, Integers: MaxIntegers(goarch), Shared: true, Two: true,
			bound: true, full: full, wary: wary}}
	}
	return []bound{call("straight", false, true), call("straightErrno", true, true),
		call("enter", false, false), call("enterFull", true, false)}
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
		words := stub.words(goarch)
		for name, word := range plainWords {
			words[name] = word
		}
		lines, err := fill("call_"+goarch+".gas", goarch, words, rt.Offsets{}, func(tag string) bool {
			return tag == "PLAIN" || tag != "FLIGHT" && tag != "SLOT" && stub.keeps(tag)
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
