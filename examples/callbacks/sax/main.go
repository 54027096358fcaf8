// Sax reads a document of some megabytes with Expat, whose handlers are
// written in Go.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 100_000, "voyages in the document, each of 5 elements")
	flag.Parse()

	text := document(*n)
	if err := open(); err != nil {
		log.Fatal(err)
	}
	var t tally
	rate.Run("voyages", *n, func(n int) error {
		if err := parse(bytes.NewReader(text), &t); err != nil {
			return err
		}
		if t.voyages != n {
			return fmt.Errorf("%d voyages read, want %d", t.voyages, n)
		}
		return nil
	})
	fmt.Printf("%d bytes, %d elements\n", len(text), t.elements)
}
