package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/wherrygo/wherry/internal/stub"
)

const helpGen = `usage: wherry gen file.go

Writes typed stubs: Go functions that call C functions in 2 to 4 ns, for the
plain go command, with cgo or without. The file declares them:

	//go:build ignore

	package z

	//wherry:bind crc32
	func crc32(crc uint, data []byte) uint

Beside file.go it writes zfile_unsafe.go, zfile_stubs.go, zfile_other.go and the
assembly zfile_amd64.s and zfile_arm64.s. In the package, call bindFile with
the Lookup method of a direct.Library first. Package direct says what a C
function has to promise. A line for "go generate": //go:generate wherry gen file.go

Stubs pass integers, floats, bool, pointers, strings and slices (as pointer and
length) in registers: at most six integers and eight floats. Pointer arguments
do not escape, unless C returns a pointer. For structs, errno and more arguments, use direct.Bind.
`

func generate(args []string) error {
	if len(args) != 1 {
		return usageError{errors.New("gen: want one Go file; wherry help gen says what is in it")}
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	files, err := stub.Generate(args[0], text)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(filepath.Dir(args[0]), name)
		if err := os.WriteFile(path, files[name], 0o666); err != nil {
			return err
		}
		fmt.Println(path)
	}
	return nil
}
