package calls

import "testing"

const mask = 0xffff

func BenchmarkAdd(b *testing.B) {
	for _, way := range []struct {
		name string
		run  func(n int) int32
	}{
		{"by=cgo", func(n int) (sum int32) {
			for range n {
				sum = Cgo(sum, 1) & mask
			}
			return sum
		}},
		{"by=cgo-nocallback-noescape", func(n int) (sum int32) {
			for range n {
				sum = Declared(sum, 1) & mask
			}
			return sum
		}},
		{"by=go", func(n int) (sum int32) {
			for range n {
				sum = Go(sum, 1) & mask
			}
			return sum
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			if sum := way.run(b.N); sum != int32(b.N&mask) {
				b.Fatalf("got %d, want %d", sum, b.N&mask)
			}
		})
	}
}
