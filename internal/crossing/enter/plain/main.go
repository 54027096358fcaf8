// Plain writes what programs have that the plain go command builds: the assembly of package
// c. Its argument is the folder of the root module.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/enter"
)

func main() {
	log.SetFlags(0)
	root := os.Args[1]
	folder := filepath.Join(root, "internal/crossing/c")
	for _, goarch := range []string{"amd64", "arm64"} {
		lines, err := enter.Preprocessed(goarch)
		write(filepath.Join(folder, "zcalls_"+goarch+".S"), "enter/*_"+goarch+".gas", own, assemblyHead+strings.Join(lines, "\n")+"\n"+
			"\t.section .note.GNU-stack,\"\",%progbits\n", err)
	}
}

// own are the programs in which package c has calls of its own.
const own = "linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan"

// lld takes for garbage what only __start_ and __stop_ symbols refer to.
const assemblyHead = `#include "zoffsets.h"
#if defined(__clang__) && __clang_major__ >= 13
#define TEXT_FLAGS "axR"
#else
#define TEXT_FLAGS "ax"
#endif
`

func write(file, from, constraint, text string, err error) {
	head := "// Code generated from internal/crossing/" + from + " by script/generate; DO NOT EDIT.\n\n"
	if constraint != "" {
		head += "//go:build " + constraint + "\n\n"
	}
	if err == nil {
		err = os.WriteFile(file, []byte(head+text), 0o666)
	}
	if err != nil {
		log.Fatal(fmt.Errorf("plain: %w", err))
	}
}
