// H3 measures Uber's hexagonal grid: short functions that compute and do
// nothing else, where the crossing is a large part of every call.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/uber/h3-go/v4"
	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 2_000_000, "operations of each kind")
	flag.Parse()

	all, err := newSamples()
	if err != nil {
		log.Fatal(err)
	}
	run := func(name string, ok func(*sample) bool) {
		rate.Run(name, *n, func(n int) error {
			for i := range n {
				if s := &all[i%len(all)]; !ok(s) {
					return fmt.Errorf("wrong result for %v", s.point)
				}
			}
			return nil
		})
	}
	run("point to cell", func(s *sample) bool {
		c, err := h3.LatLngToCell(s.point, res)
		return err == nil && c == s.cell
	})
	run("cell to point", func(s *sample) bool {
		p, err := h3.CellToLatLng(s.cell)
		return err == nil && p == s.center
	})
	run("parent", func(s *sample) bool {
		c, err := s.cell.Parent(res - 1)
		return err == nil && c == s.parent
	})
	run("valid", func(s *sample) bool { return s.cell.IsValid() })
}
