package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/linxGnu/grocksdb"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const records = 10_000

// BenchmarkJob writes a thousand of 10,000 records anew, looks a thousand up, and
// goes over all by an iterator.
func BenchmarkJob(b *testing.B) {
	options := grocksdb.NewDefaultOptions()
	defer options.Destroy()
	options.SetCreateIfMissing(true)
	db, err := grocksdb.OpenDb(options, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	write, read := grocksdb.NewDefaultWriteOptions(), grocksdb.NewDefaultReadOptions()
	defer write.Destroy()
	defer read.Destroy()
	write.DisableWAL(true)
	var keys, values [][]byte
	put := func(i int) {
		if err := db.Put(write, keys[i], values[i]); err != nil {
			b.Fatal(err)
		}
	}
	for i := range records {
		keys, values = append(keys, fmt.Appendf(nil, "key %08d", i)), append(values, fmt.Appendf(nil, "value %d", i*i))
		put(i)
	}
	for range job.Ops(b) {
		for i := 0; i < records; i += 10 {
			put(i)
			v, err := db.Get(read, keys[records-1-i])
			if err != nil || !bytes.Equal(v.Data(), values[records-1-i]) {
				b.Fatalf("record %d: got %q, %v", records-1-i, v.Data(), err)
			}
			v.Free()
		}
		n := 0
		it := db.NewIterator(read)
		for it.SeekToFirst(); it.Valid(); it.Next() {
			k, v := it.Key(), it.Value()
			if !bytes.Equal(k.Data(), keys[n]) || !bytes.Equal(v.Data(), values[n]) {
				b.Fatalf("record %d: got %q, %q", n, k.Data(), v.Data())
			}
			k.Free()
			v.Free()
			n++
		}
		it.Close()
		if n != records {
			b.Fatalf("got %d records, want %d", n, records)
		}
	}
}
