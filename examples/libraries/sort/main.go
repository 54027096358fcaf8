// Sort calls libc's qsort and bsearch, which call Go to compare.
package main

import (
	"cmp"
	"fmt"
	"log"
	"math/rand"
	"slices"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
	_ "github.com/wherrygo/wherry/direct/purego"
)

func main() {
	libc, err := direct.Open("libc.so.6")
	if err != nil {
		log.Fatal(err)
	}
	qsort := direct.MustReentrant[func(base []int32, size uint, compare unsafe.Pointer)](libc.MustLookup("qsort"))
	bsearch := direct.MustReentrant[func(key *int32, base []int32, size uint, compare unsafe.Pointer) *int32](libc.MustLookup("bsearch"))

	comparisons := 0
	compare, err := callback.New(func(a, b *int32) int32 {
		comparisons++
		return int32(cmp.Compare(*a, *b))
	})
	if err != nil {
		log.Fatal(err)
	}
	defer compare.Release()

	numbers := make([]int32, 1000000)
	for i := range numbers {
		numbers[i] = rand.Int31()
	}
	wanted := numbers[12345]

	begin := time.Now()
	qsort(numbers, 4, compare.Pointer())
	took := time.Since(begin)
	if !slices.IsSorted(numbers) {
		log.Fatal("the numbers are not sorted")
	}
	if found := bsearch(&wanted, numbers, 4, compare.Pointer()); found == nil || *found != wanted {
		log.Fatalf("%d is not found", wanted)
	}
	fmt.Printf("%d numbers sorted with %d comparisons in Go, %.1f ns each\n", len(numbers), comparisons,
		float64(took.Nanoseconds())/float64(comparisons))
}
