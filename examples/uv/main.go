//go:build libuv && cgo

// Uv prints size and FNV-1a sum of the files in a directory. libuv's own threads
// read them and post the results to Go.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	directory := "."
	if len(os.Args) > 1 {
		directory = os.Args[1]
	}
	files := 0
	ticks, err := sums(context.Background(), directory, func(f file) {
		files++
		if f.unread {
			fmt.Printf("%s: not readable\n", f.name)
			return
		}
		fmt.Printf("%016x %9d %s\n", f.sum, f.size, f.name)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d files, %d ticks of libuv's timer meanwhile\n", files, ticks)
}
