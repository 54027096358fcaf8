// A constructor has taken all keys of the C library for data of threads, as does who keeps them for
// itself. Then C calls Go back, from a goroutine's call and from threads, and the keys are as they were.
package main

// long visit(long n), thread(void);
// int untouched(void), ends_seen(void);
import "C"

import "fmt"

//export next
func next(n C.long) C.long { return n + 1 }

func main() {
	done := make(chan C.long)
	for range 8 {
		go func() {
			sum := C.long(0)
			for range 100 {
				sum += C.visit(10)
			}
			done <- sum
		}()
	}
	for range 8 {
		fmt.Println(<-done)
	}
	for range 3 {
		fmt.Println(C.thread())
	}
	fmt.Println(C.untouched(), C.ends_seen())
}
