// A Go library for a C host: its C calls a library that waits, directly and by a function
// pointer of the host's.
package main

// #cgo LDFLAGS: -L. -lwaits -Wl,-rpath,$ORIGIN
// #include <unistd.h>
// extern int waits(void);
// typedef int (*function)(void);
// #define BOTH(n) static int link##n(void) { return waits(); } static int pointer##n(function f) { return f(); }
// BOTH(0) BOTH(1) BOTH(2) BOTH(3) BOTH(4) BOTH(5)
// static int by_libc(void) { return usleep(20000) != 0; }
import "C"

import "runtime"

//export Run
func Run(f C.function) (interrupted C.int) {
	stop := make(chan bool)
	go func() { // the runtime wants all threads to stop, again and again
		for {
			select {
			case <-stop:
				close(stop)
				return
			default:
				runtime.GC()
			}
		}
	}()
	for range 3 {
		interrupted += C.link0() + C.link1() + C.link2() + C.link3() + C.link4() + C.link5()
		interrupted += C.pointer0(f) + C.pointer1(f) + C.pointer2(f) + C.pointer3(f) + C.pointer4(f) + C.pointer5(f)
		interrupted += C.by_libc()
	}
	stop <- true
	<-stop
	return interrupted
}

func main() {}
