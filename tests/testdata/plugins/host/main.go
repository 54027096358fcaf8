// Host opens a plugin that was built from a package that it has itself.
package main

import (
	"fmt"
	"os"
	"plugin"

	"example.com/m/shared"
)

func main() {
	p, err := plugin.Open(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	f, err := p.Lookup("F")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(shared.Next(1), f.(func() int)())
}
