// Sql lets SQL call functions written in Go, by go-sqlite3's RegisterFunc, for
// each of a million rows.
package main

import (
	"flag"
	"fmt"
	"log"
	"time"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 1_000_000, "rows")
	flag.Parse()

	s, err := open(*n)
	if err != nil {
		log.Fatal(err)
	}
	defer s.close()
	for _, work := range []struct {
		name string
		do   func(int) error
	}{{"two integers", s.fares}, {"text", s.titles}} {
		start := time.Now()
		if err := work.do(*n); err != nil {
			log.Fatalf("%s: %v", work.name, err)
		}
		fmt.Printf("%-14s %10.1f ns/row\n", work.name, float64(time.Since(start).Nanoseconds())/float64(*n))
	}
}
