// Table makes the tables of package direct from a raw run, the argument.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: table RUN.txt")
		os.Exit(2)
	}
	file, err := os.Open(os.Args[1])
	if err == nil {
		defer file.Close()
		var text string
		if text, err = tables(file); err == nil {
			fmt.Print(text)
			return
		}
	}
	fmt.Fprintln(os.Stderr, "table:", err)
	os.Exit(1)
}
