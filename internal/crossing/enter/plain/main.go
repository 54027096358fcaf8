// Plain writes the calls of package direct for Go's assembler, zenter_ARCH.s, into the
// folder that it is given.
package main

import (
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/enter"
)

func main() {
	log.SetFlags(0)
	for _, goarch := range []string{"amd64", "arm64"} {
		lines, err := enter.Plain(goarch)
		if err != nil {
			log.Fatal(err)
		}
		head := `// Code generated from internal/crossing/enter/call_` + goarch + `.gas by script/generate; DO NOT EDIT.

//go:build linux && go1.24 && !go1.28

// The calls of bound funcs in a program that is built plainly. call_` + goarch + `.gas has the
// picture and the contract of the registers.

#include "textflag.h"
#include "go_asm.h"

`
		file := filepath.Join(os.Args[1], "zenter_"+goarch+".s")
		if err := os.WriteFile(file, []byte(head+strings.Join(lines, "\n")), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
