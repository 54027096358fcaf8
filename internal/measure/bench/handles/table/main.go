// Table reads a raw run of the benchmarks of handles and writes what it shows
// as Markdown.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("table: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: table raw.txt")
	}
	f, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	run, err := read(f)
	if err != nil {
		log.Fatalf("%s: %v", os.Args[1], err)
	}
	text, err := markdown(run)
	if err != nil {
		log.Fatalf("%s: %v", os.Args[1], err)
	}
	fmt.Println(strings.TrimSpace(text))
}
