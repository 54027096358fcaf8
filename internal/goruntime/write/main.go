// Write writes what is generated from runtime.list for programs that the plain go command
// builds: macros for C and its assembly, and the constants and fields of package running.
// Its argument is the folder of the root module.
package main

import (
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/goruntime"
)

const head = "// Code generated from internal/goruntime/runtime.list by script/generate; DO NOT EDIT.\n\n"

func main() {
	log.SetFlags(0)
	all, versions := goruntime.List()
	var lines []goruntime.Line // those that have offsets
	for _, l := range all {
		if l.At != nil {
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, func(a, b goruntime.Line) int { return strings.Compare(a.Name, b.Name) })
	var header strings.Builder
	for i := len(versions) - 1; i >= 0; i-- { // the newest first
		offsets := goruntime.Offsets{}
		var constants strings.Builder
		for _, l := range lines {
			offsets[l.Name] = int64(l.At[i])
			fmt.Fprintf(&constants, "\t%s = %d\n", l.Name, l.At[i])
		}
		word, constraint := "elif", fmt.Sprintf("go1.%d", versions[i])
		if i == len(versions)-1 {
			word = "if"
		} else {
			constraint += fmt.Sprintf(" && !go1.%d", versions[i+1])
		}
		fmt.Fprintf(&header, "#%s GO_MINOR >= %d\n%s", word, versions[i], offsets.Header(""))
		write(fmt.Sprintf("goruntime/running/zoffsets_go1%d.go", versions[i]), "//go:build "+constraint+"\n\npackage running\n\nconst (\n"+
			constants.String()+")\n")
	}
	write("crossing/c/zoffsets.h", header.String()+"#endif\n")
	var fields strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&fields, "\t{%q, %s, %d},\n", l.What, l.Name, l.Size)
	}
	write("goruntime/running/zfields.go", "package running\n\nvar fields = offsets{\n"+fields.String()+"}\n")
}

func write(name, text string) {
	content, err := []byte(head+text), error(nil)
	if filepath.Ext(name) == ".go" {
		content, err = format.Source(content)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[1], "internal", name), content, 0o666)
	}
	if err != nil {
		log.Fatal(fmt.Errorf("write: %w", err))
	}
}
