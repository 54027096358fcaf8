package m

import "testing"

func BenchmarkPart(b *testing.B) {
	for range b.N {
		if Part(1) != 2 {
			b.Fatal("wrong")
		}
	}
}
