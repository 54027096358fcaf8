// Command onstack runs one of its packages, by its name.
package main

import (
	"os"

	"example.com/m/aligned"
	"example.com/m/byvalue"
	"example.com/m/elsewhere"
	"example.com/m/handedover"
	"example.com/m/handles"
	"example.com/m/hidden"
	"example.com/m/large"
	"example.com/m/packed"
	"example.com/m/returned"
	"example.com/m/unaligned"
)

func main() {
	map[string]func(){
		"aligned":    aligned.Main,
		"byvalue":    byvalue.Main,
		"elsewhere":  elsewhere.Main,
		"handedover": handedover.Main,
		"handles":    handles.Main,
		"hidden":     hidden.Main,
		"large":      large.Main,
		"packed":     packed.Main,
		"returned":   returned.Main,
		"unaligned":  unaligned.Main,
	}[os.Args[1]]()
}
