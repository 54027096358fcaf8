package twin

import "testing"

func BenchmarkOne(b *testing.B) {
	for range b.N {
	}
}
