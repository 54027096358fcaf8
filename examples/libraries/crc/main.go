// Crc sums small records with zlib's crc32.
package main

import (
	"fmt"
	"hash/crc32"
	"log"
	"time"

	"github.com/wherrygo/wherry/direct"
	_ "github.com/wherrygo/wherry/direct/purego"
)

func main() {
	z, err := direct.Open("libz.so.1")
	if err != nil {
		log.Fatal(err)
	}
	address, err := z.Lookup("crc32")
	if err != nil {
		log.Fatal(err)
	}
	sum := direct.MustBind[func(crc uint, data []byte) uint](address)

	const n = 1000000
	record := []byte("a record of some thirty bytes.")
	begin := time.Now()
	crc := uint(0)
	for range n {
		crc = sum(crc, record)
	}
	took := time.Since(begin)

	want := uint32(0)
	for range n {
		want = crc32.Update(want, crc32.IEEETable, record)
	}
	if crc != uint(want) {
		log.Fatalf("got %08x, want %08x", crc, want)
	}
	fmt.Printf("crc %08x of %d records, %.1f ns each\n", crc, n, float64(took.Nanoseconds())/n)
}
