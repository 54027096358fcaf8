// Functions of C call back through a pointer to Go's assembly, which enters Go by crosscall2.
package main

/*
#include <pthread.h>

typedef long callback(long);

static long once(callback *to, long n) { return to(n); }
static long each(callback *to, long n) {
	long sum = 0;
	for (long i = 0; i < n; i++) sum += to(i);
	return sum;
}

struct work { callback *to; long n, sum; };
static void *work(void *v) {
	struct work *w = v;
	w->sum = each(w->to, w->n);
	return 0;
}
static long thread(callback *to, long n) {
	struct work w = {to, n, 0};
	pthread_t t;
	if (pthread_create(&t, 0, work, &w) || pthread_join(t, 0)) return -1;
	return w.sum;
}

extern long exported(long);
static long both(callback *to, long n) {
	long sum = 0;
	for (long i = 0; i < n; i++) sum += i % 2 ? to(i) : exported(i);
	return sum;
}
*/
import "C"

import (
	"fmt"
	"runtime"
	"sync"

	"example.com/m/way"
)

//export exported
func exported(n C.long) C.long { return C.long(twice(int64(n))) }

func twice(n int64) int64 {
	if n%64 == 1 {
		runtime.Gosched()
	}
	return grow(20) + 2*n
}

// grow has the goroutine's stack moved.
func grow(depth int) int64 {
	var room [512]byte
	if depth == 0 {
		return int64(room[0])
	}
	return grow(depth-1) + int64(room[depth])
}

// nested calls C again, which calls back again.
func nested(n int64) int64 {
	if n == 0 {
		return 1
	}
	to := (*C.callback)(way.Pointer(nested))
	return int64(C.once(to, C.long(n-1))) + int64(C.each(to, C.long(min(n-1, 2))))
}

func panics(n int64) int64 { panic(n) }

func caught(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

func main() {
	to := (*C.callback)(way.Pointer(twice))
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var all sync.WaitGroup
	sums := make([][5]int64, 4)
	for i := range sums {
		all.Add(1)
		go func() {
			defer all.Done()
			s := &sums[i]
			for n := range 100 {
				s[0] += int64(C.once(to, C.long(n)))
				s[1] += int64(C.each(to, C.long(n)))
				s[2] += int64(C.both(to, C.long(n)))
			}
			s[3] = int64(C.thread(to, 2000))
			s[4] = nested(6)
			for n := range 20 {
				if got := caught(func() { C.each((*C.callback)(way.Pointer(panics)), C.long(n+1)) }); got != int64(0) {
					panic(got)
				}
			}
		}()
	}
	all.Wait()
	close(stop)
	fmt.Println(sums)
}
