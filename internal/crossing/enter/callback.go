package enter

// A Callback is the way of one exported Go function from a C stack into Go, or that of
// all function pointers of package callback, whose Slot (package entry) it reads.
type Callback struct {
	Symbol   string // what C calls
	Target   string // the Go function, in the register ABI; "": a func value
	Integers int    // integer and pointer arguments
}

// Assembly returns the way in as lines for an assembler of GNU syntax.
func (c Callback) Assembly(goarch string, offsets Offsets) ([]string, error) {
	words := map[string]string{"STUB": c.Symbol, "GOFUNC": c.Target, "GLOBAL": "globl"}
	other := "CLOSURE"
	if c.Target == "" {
		other, words["GLOBAL"] = "EXPORTED", "weak"
	}
	return fill("callback_"+goarch+".gas", goarch, words, offsets, func(tag string) bool {
		return tag != "FRAME" && tag != other && hasArgument(tag, c.Integers)
	})
}

// Shared returns what all calls and callbacks of a package share: turning, C
// stacks, the calls of package direct and the callbacks of package callback, the way in
// for exported functions that have none of their own, _wherry_crosscall, the ends of
// callbacks, and lending where C threads lend.
func Shared(goarch string, offsets Offsets, lends bool) ([]string, error) {
	words := map[string]string{"STUB": "_wherry_crosscall", "GLOBAL": "weak"}
	lines, err := fill("callback_"+goarch+".gas", goarch, words, offsets, func(tag string) bool {
		return tag != "REGISTERS" && tag != "EXPORTED" && tag != "CLOSURE" && hasArgument(tag, 0)
	})
	if err == nil {
		var more []string
		more, err = Callback{Symbol: "_wherry_closure1", Integers: MaxIntegers(goarch)}.Assembly(goarch, offsets)
		lines = append(lines, more...)
	}
	for _, file := range shared(lends, "return", "stack", "turn", "block") {
		if err != nil {
			return nil, err
		}
		var more []string
		more, err = fill(file+"_"+goarch+".gas", goarch, nil, offsets, func(string) bool { return true })
		lines = append(lines, more...)
	}
	for _, stub := range bounds(goarch) {
		if err != nil {
			return nil, err
		}
		var more []string
		more, err = stub.Assembly(goarch, offsets)
		lines = append(lines, more...)
	}
	return lines, err
}

func shared(lends bool, files ...string) []string {
	if lends {
		files = append(files, "lend")
	}
	return files
}
