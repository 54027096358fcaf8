package accel

import (
	"debug/elf"
	"slices"

	"github.com/wherrygo/wherry/check"
	"github.com/wherrygo/wherry/internal/crossing/blocking"
)

// asksForBounds returns a function or variable of the C library, used by the program
// outside of it, that tells where a thread's stack ends: code that compares its stack
// pointer with that must not run on another stack. What cannot be read may ask. While
// the program runs, package inflight notices code that was loaded later.
// The answer is empty where nothing does.
func asksForBounds(program *check.Program) string {
	if missing := program.Missing(); len(missing) > 0 {
		return missing[0] + ", which was not found,"
	}
	for _, file := range program.Libraries() {
		if file.System {
			continue
		}
		names, err := undefined(file.Path)
		if err != nil {
			return file.Path
		}
		for _, name := range names {
			if f, ok := blocking.Lookup(name); ok && f.Kind == blocking.Stack || name == "__libc_stack_end" {
				return "code that uses " + name
			}
		}
	}
	return ""
}

// undefined lists the symbols that a file takes from others.
func undefined(path string) (names []string, err error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.DynamicSymbols()
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
