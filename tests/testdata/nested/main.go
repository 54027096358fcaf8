// C with code on its stack, which is executable then: GNU C passes the address of a nested function
// as that of code that it writes there.
package main

/*
#cgo CFLAGS: -Wno-trampolines

extern void count(int);
static void each(int n, void (*f)(int)) {
	for (int i = 0; i < n; i++) f(i);
}
static int sum(int n) {
	int total = 0;
	void add(int k) { total += k; count(k); }
	each(n, add);
	return total;
}
static int named(int n) { return sum(n); }
*/
import "C"

import "fmt"

var counted int

//export count
func count(k C.int) { counted += int(k) }

func main() {
	for i := range C.int(40) {
		fmt.Println(C.sum(i%4), C.named(i%3), counted)
	}
}
