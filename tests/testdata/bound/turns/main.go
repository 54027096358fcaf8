package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

var sink any

// bytes are n numbers x, which nobody but the caller knows.
//
//go:noinline
func bytes(n int, x byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = x
	}
	return b
}

type pair struct {
	p *byte
	n int64
}

// during runs f while its call waits in C, and collects all garbage meanwhile.
func during(name string, want int64, f func() int64) {
	open(false)
	result := make(chan int64)
	go func() { result <- f() }()
	await(1)
	for range 3 {
		runtime.GC()
		for n := 1000; n < 1100; n++ { // takes up what was freed
			sink = bytes(n, 77)
		}
	}
	open(true)
	if got := <-result; got != want {
		fmt.Println(name, "got", got, "want", want)
	}
}

func main() {
	if slices.Contains(os.Args, "pointer") { // of package callback, instead of an exported function
		f, err := callback.New(goes)
		if err != nil {
			fmt.Println(err)
		}
		backBy(f.Pointer())
	}
	gate := direct.MustBind[func(int32) int32](at(0))
	const many = 20
	done := make(chan int32)
	for i := range int32(many) {
		go func() { done <- gate(i) }()
	}
	await(many)
	open(true)
	sum := int32(0)
	for range many {
		sum += <-done
	}
	fmt.Println("all waited at once", sum)

	spins := direct.MustBind[func(int32) int32](at(1))
	go func() { done <- spins(1) }()
	for range 3 {
		runtime.GC()
	}
	stops()
	fmt.Println("collected beside C", <-done)

	calls := direct.MustBind[func(int32) int32](at(3))
	for range 10 {
		sum = calls(201)
	}
	again := direct.MustReentrant[func(int32) int32](at(3))
	for range 10 {
		sum += again(201)
	}
	fmt.Println("called back", sum)

	during("errno", 42, func() int64 {
		_, e := direct.MustBind[func(int32) (int32, direct.Errno)](at(2))(42)
		return int64(e)
	})
	during("one", 2000, func() int64 { return direct.MustBind[func(*byte, int32) int64](at(4))(&bytes(1000, 2)[0], 1000) })
	during("reentrant", 2000, func() int64 {
		return direct.MustReentrant[func(*byte, int32) int64](at(4))(&bytes(1000, 2)[0], 1000)
	})
	during("reentrant with errno", 43, func() int64 {
		_, e := direct.MustReentrant[func(int32) (int32, direct.Errno)](at(2))(43)
		return int64(e)
	})
	during("last", 3015, func() int64 {
		return direct.MustBind[func(int32, float64, int64, int64, int64, *byte) int64](at(5))(1, 2, 3, 4, 5, &bytes(1000, 3)[0])
	})
	during("mixed", 2000+5000-3, func() int64 {
		return direct.MustBind[func(int8, []byte, int16, string) int64](at(6))(-1, bytes(1000, 2), -2, string(bytes(1000, 5)))
	})
	during("ninth", 4028, func() int64 {
		return direct.MustBind[func(a, b, c, d, e, f, g int64, p []byte) int64](at(7))(1, 2, 3, 4, 5, 6, 7, bytes(1000, 4))
	})
	during("paired", 6000, func() int64 { return direct.MustBind[func(pair) int64](at(8))(pair{&bytes(1000, 6)[0], 1000}) })
	fmt.Println("kept")
}
