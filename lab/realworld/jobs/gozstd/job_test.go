package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/valyala/gozstd"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob compresses 100 messages of about 120 bytes with a dictionary, as
// small records in a store are, and takes them back.
func BenchmarkJob(b *testing.B) {
	var messages, samples [][]byte
	for i := range 2000 {
		m := fmt.Appendf(nil, `{"user":%d,"name":"user %d","mail":"user%d@example.com","active":%t,"groups":["staff","g%d"]}`, i,
			i*7, i*13, i%2 == 0, i%9)
		if samples = append(samples, m); i%20 == 0 {
			messages = append(messages, m)
		}
	}
	text := gozstd.BuildDict(samples, 8<<10)
	pack, err := gozstd.NewCDictLevel(text, 1)
	if err != nil {
		b.Fatal(err)
	}
	unpack, err := gozstd.NewDDict(text)
	if err != nil {
		b.Fatal(err)
	}
	var small, whole []byte
	for range job.Ops(b) {
		for _, m := range messages {
			small = gozstd.CompressDict(small[:0], m, pack)
			if len(small) >= len(m)/2 {
				b.Fatalf("%d bytes became %d", len(m), len(small))
			}
			if whole, err = gozstd.DecompressDict(whole[:0], small, unpack); err != nil || !bytes.Equal(whole, m) {
				b.Fatalf("got %q, %v, want %q", whole, err, m)
			}
		}
	}
}
