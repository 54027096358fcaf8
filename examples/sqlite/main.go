// Sqlite measures go-sqlite3, unchanged and used through database/sql, with a
// database in memory: inserts, queries by primary key, and a scan.
package main

import (
	"flag"
	"log"

	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 500_000, "operations of each kind")
	flag.Parse()

	s, err := open()
	if err != nil {
		log.Fatal(err)
	}
	defer s.close()
	rate.Run("insert", *n, s.insert)
	if err := s.refill(batch); err != nil {
		log.Fatal(err)
	}
	rate.Run("point query", *n, s.find)
	rate.Run("scan", *n, s.scan)
}
