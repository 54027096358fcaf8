package accel

import (
	"debug/elf"
	"os"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/libc"
	image "github.com/wherrygo/wherry/internal/read/elf"
	"github.com/wherrygo/wherry/internal/regular"
)

// asksForBounds returns what shows that the program, outside of the C library, may compare
// its stack pointer with the end of its thread's stack, or with an address on that stack:
// it uses a function or variable of the C library that tells where the stack ends, or a
// function compares its stack pointer with an address in memory. Such code must not run on
// another stack. What cannot be read may ask. While the program runs, crossing.c
// notices code that was loaded later. The answer is empty where nothing shows it.
// Comparing are the functions that compare their stack pointer with an address in memory.
func asksForBounds(linked code, comparing []string) string {
	if missing := linked.missing(); len(missing) > 0 {
		return mayAsk(missing[0] + ", which was not found,")
	}
	for _, file := range linked.files() {
		if file.System {
			continue
		}
		names, err := undefined(file.Path)
		if err != nil {
			return mayAsk(file.Path)
		}
		for _, name := range names {
			if f, ok := libc.Lookup(name); ok && f.Kind == libc.Stack || name == "__libc_stack_end" {
				return mayAsk("code that uses " + name)
			}
		}
	}
	if len(comparing) > 0 {
		name := comparing[0]
		if _, wrapped, ok := strings.Cut(name, "_Cfunc_"); ok { // cgo's wrapper, into which it was inlined
			name = wrapped
		}
		return name + " compares its stack pointer with an address in memory"
	}
	return ""
}

func mayAsk(what string) string { return what + " may ask for the bounds of its stack" }

// undefined lists the symbols that a file takes from others.
func undefined(path string) (names []string, err error) {
	file, _, err := regular.Opener(os.OpenFile).Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	library, err := image.NewFile(file)
	if err != nil {
		return nil, err
	}
	symbols, err := library.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names, nil
}
