package twin

import "testing"

func BenchmarkTwo(b *testing.B) {
	for range b.N {
	}
}
