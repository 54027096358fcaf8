package enter

import "strings"

// What programs have that the plain go command builds.

// goFunctions are those of package frames that the assembly and C name.
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
