// Reader imports a package as tools for Go do, from the archive that is its argument.
package main

import (
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
)

func main() {
	open := func(string) (io.ReadCloser, error) { return os.Open(os.Args[1]) }
	p, err := importer.ForCompiler(token.NewFileSet(), "gc", open).Import("example.com/dep")
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Scope().Lookup("Two"))
}
