package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wherrygo/wherry/internal/crossing/gen"
)

const helpGen = `usage: wherry gen file.go

Writes typed stubs: Go functions that call C functions in 2 to 4 ns, for the
plain go command, with cgo or without. The file declares them:

	//go:build ignore

	package z

	//wherry:bind crc32
	func crc32(crc uint, data []byte) uint

For file.go it writes zfile_unsafe.go beside it, with a func bindFile. Call that
first, with the Lookup method of a direct.Library. Package direct says what a C
function has to promise. A line for "go generate": //go:generate wherry gen file.go

Stubs pass integers, floats, bool, pointers, strings and slices (as pointer and
length). Pointer arguments do not escape to the heap unless C returns a pointer.
They may point into the goroutine's stack, which a callback could move, so C must
not call Go. For structs and errno use direct.Bind; for C that calls back,
direct.Reentrant, or direct.Bind in a program that wherry built.
`

func generate(args []string) error {
	if len(args) != 1 {
		return usageError{errors.New("gen: want one Go file; wherry help gen says what is in it")}
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	name, generated, err := gen.Generate(args[0], text)
	if err != nil {
		return err
	}
	path := filepath.Join(filepath.Dir(args[0]), name)
	if err := os.WriteFile(path, generated, 0o666); err != nil {
		return err
	}
	fmt.Println(path)
	return nil
}
