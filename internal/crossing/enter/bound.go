package enter

import (
	"strconv"

	"github.com/wherrygo/wherry/internal/crossing/abi"
)

// A bound is a call of C by package direct.
type bound struct {
	goName string // in package c
	Stub
}

// bounds are all of them. The number in their symbols is that of a binding's layout. The
// first three are the code of funcs whose arguments are where C wants them (abi.Plan says
// which are few), the others are for code that brings them there.
func bounds(goarch string) []bound {
	call := func(goName string, full, wary bool) bound {
		return bound{goName, Stub{Symbol: "_wherry_bound2_" + goName, Integers: MaxIntegers(goarch), Shared: true, Two: true,
			bound: true, full: full, wary: wary}}
	}
	few := call("straightFew", false, true)
	few.Integers, few.Two = abi.FewInts, false
	return []bound{call("straight", false, true), few, call("straightErrno", true, true),
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
