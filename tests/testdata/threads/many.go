package main

// extern void threads(int n, int kind, int end, long count);
import "C"

import (
	"fmt"
	"os"
)

// manyLives has n[0] times four threads, and says what the process has more of at the end
// than after the first hundred.
func manyLives(n [4]int) {
	have := func() (n [3]int) {
		for i, dir := range []string{"/proc/self/task", "/proc/self/fd"} {
			entries, _ := os.ReadDir(dir)
			n[i] = len(entries)
		}
		maps, _ := os.ReadFile("/proc/self/maps")
		for _, b := range maps {
			if b == '\n' {
				n[2]++
			}
		}
		return n
	}
	var first [3]int
	for i := range n[0] {
		C.threads(4, C.int(n[1]), C.int(i%5), C.long(n[3]))
		if i == 100 {
			first = have()
		}
	}
	last := have()
	fmt.Println(last[0] <= first[0]+2, last[1] <= first[1], last[2] <= first[2]+20)
}
