package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/jmhodges/levigo"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const records = 10_000

// BenchmarkJob goes over 10,000 records by an iterator, and looks every tenth up.
func BenchmarkJob(b *testing.B) {
	options := levigo.NewOptions()
	defer options.Close()
	options.SetCreateIfMissing(true)
	db, err := levigo.Open(b.TempDir(), options)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	write, read := levigo.NewWriteOptions(), levigo.NewReadOptions()
	defer write.Close()
	defer read.Close()
	var keys, values [][]byte
	for i := range records {
		keys, values = append(keys, fmt.Appendf(nil, "key %08d", i)), append(values, fmt.Appendf(nil, "value %d", i*i))
		if err := db.Put(write, keys[i], values[i]); err != nil {
			b.Fatal(err)
		}
	}
	for range job.Ops(b) {
		n := 0
		it := db.NewIterator(read)
		for it.SeekToFirst(); it.Valid(); it.Next() {
			if !bytes.Equal(it.Key(), keys[n]) || !bytes.Equal(it.Value(), values[n]) {
				b.Fatalf("record %d: got %q, %q", n, it.Key(), it.Value())
			}
			n++
		}
		it.Close()
		if n != records {
			b.Fatalf("got %d records, want %d", n, records)
		}
		for i := 0; i < records; i += 10 {
			if v, err := db.Get(read, keys[i]); err != nil || !bytes.Equal(v, values[i]) {
				b.Fatalf("got %q, %v, want %q", v, err, values[i])
			}
		}
	}
}
