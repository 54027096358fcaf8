package elf

import (
	"debug/elf"

	"github.com/wherrygo/wherry/internal/printable"
)

// named returns symbols whose names are printable and one line each: a name could be any text,
// and what is said of it look like something else.
func named(symbols []elf.Symbol, err error) ([]elf.Symbol, error) {
	for i := range symbols {
		s := &symbols[i]
		s.Name, s.Version = printable.Line(s.Name), printable.Line(s.Version)
	}
	return symbols, err
}
