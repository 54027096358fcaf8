package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/DataDog/zstd"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob compresses 100 messages of about 300 bytes and takes them back.
func BenchmarkJob(b *testing.B) {
	var messages [][]byte
	for i := range 100 {
		var m []byte
		for j := range 5 {
			m = fmt.Appendf(m, `{"sensor":%d,"temperature":%d.%d,"unit":"celsius","valid":true}`, i, i%40, j)
		}
		messages = append(messages, m)
	}
	ctx := zstd.NewCtx()
	packed, whole := make([]byte, 1024), make([]byte, 1024)
	for range job.Ops(b) {
		for _, m := range messages {
			small, err := ctx.CompressLevel(packed, m, 1)
			if err != nil || len(small) >= len(m)/2 {
				b.Fatalf("%d bytes became %d: %v", len(m), len(small), err)
			}
			if back, err := ctx.Decompress(whole, small); err != nil || !bytes.Equal(back, m) {
				b.Fatalf("got %q, %v, want %q", back, err, m)
			}
		}
	}
}
