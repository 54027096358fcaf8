package enter

import "strings"

// What programs have that the plain go command builds.

// Unturned returns the calls of package direct for Go's assembler, for a program without
// cgo: no call is turned there, and the mark in g.throwsplit is the runtime's own.
func Unturned(goarch string) ([]string, error) {
	var text []string
	for _, stub := range bounds(goarch) {
		words := stub.words(goarch)
		words["IN_FLIGHT"] = "1"
		lines, err := fill("call_"+goarch+".gas", goarch, words, goConstants(), func(tag string) bool {
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

// goFunctions are those of Frames that the assembly and C name.
var goFunctions = []string{"turned", "callback", "callback_first", "getg", "setg"}

// Preprocessed returns Shared's text for a C compiler's preprocessor, which knows the
// offsets of each Go as macros.
func Preprocessed(goarch string) ([]string, error) {
	lines, err := Shared(goarch, macros(), false)
	for _, name := range goFunctions {
		if err != nil {
			return nil, err
		}
		var more []string
		words := map[string]string{"THUNK": "_wherry_" + name, "ADDRESS": "_wherry_go_" + name}
		more, err = fill("thunk_"+goarch+".gas", goarch, words, nil, func(string) bool { return true })
		lines = append(lines, more...)
	}
	for i, line := range lines {
		lines[i] = strings.Replace(line, `wherry_text, "ax"`, "wherry_text, TEXT_FLAGS", 1)
	}
	return lines, err
}

// Frames returns SharedGo's text for a package with the offsets as constants.
func Frames(goarch string) ([]string, error) { return SharedGo(goarch, goConstants(), false) }
