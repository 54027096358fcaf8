package main

/*
#define active 3
#include <errno.h>
extern void goHook(void);
static long add(long a, long b) { errno = 0; return a + b; }
struct pair { long a, b; };
static struct pair two(long a, long b) { struct pair p = {a, b}; return p; }
static void hook(void) { goHook(); }
*/
import "C"

import "fmt"

//export goHook
func goHook() {}

//go:noinline
func down(n int, bad *int) int {
	var pad [8]byte
	pad[n%8] = byte(n)
	if r, err := C.add(C.long(n), 1); int(r) != n+1 || err != nil {
		*bad++
	}
	if p := C.two(C.long(n), 7); int(p.a) != n || p.b != 7 {
		*bad++
	}
	if n == 0 {
		C.hook()
		return int(pad[0])
	}
	return down(n-1, bad) + int(pad[n%8])
}

func main() {
	bad := 0
	for i := 0; i < 2000; i++ {
		done := make(chan bool)
		go func() { down(200+i%97, &bad); close(done) }()
		<-done
	}
	fmt.Println("bad", bad)
}
