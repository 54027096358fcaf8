// A program whose C grows its stack by itself, on several threads.
package main

// extern long deep(long n), back(long n), both(long n);
import "C"

import (
	"fmt"
	"sync"
)

//export goAdd
func goAdd(a, b C.long) C.long { return a + b }

func main() {
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				C.deep(2000)
				C.back(30)
				C.both(100)
			}
			fmt.Println(C.deep(3000), C.back(10), C.both(500))
		}()
	}
	all.Wait()
}
