package main

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn, flag;

// pass waits until it is its turn, and gives it to the other.
static int pass(int me) {
	pthread_mutex_lock(&mutex);
	while (turn != me) pthread_cond_wait(&changed, &mutex);
	turn = !me;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	return me;
}

static int receive(int fd) { char c; return read(fd, &c, 1) == 1 ? c : -1; }

// await computes until somebody sets the flag.
static void await(void) { while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)); }
static void set(int to) { __atomic_store_n(&flag, to, __ATOMIC_RELEASE); }

// locked holds the mutex across a callback.
extern void hold(void);
static long locked(long *n) {
	pthread_mutex_lock(&mutex);
	long before = (*n)++;
	hold();
	long after = *n;
	pthread_mutex_unlock(&mutex);
	return after - before;
}

static int rest(long ms) { struct timespec t = {0, ms * 1000000}; return nanosleep(&t, 0); }
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

//export hold
func hold() { runtime.Gosched() }

var scenarios = map[string]func(){
	"condition": func() {
		var all sync.WaitGroup
		for me := range C.int(2) {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 500 {
					C.pass(me)
				}
			}()
		}
		all.Wait()
	},
	"read": func() {
		var ends [2]int
		if err := syscall.Pipe(ends[:]); err != nil {
			panic(err)
		}
		for i := range 200 {
			go func() { syscall.Write(ends[1], []byte{byte(i % 100)}) }()
			if got := C.receive(C.int(ends[0])); got != C.int(i%100) {
				panic(got)
			}
		}
	},
	"computing": func() {
		for range 3 {
			go func() { runtime.GC(); C.set(1) }()
			C.await()
			C.set(0)
		}
	},
	"lock": func() {
		n := (*C.long)(unsafe.Pointer(new([8]C.long)))
		var pin runtime.Pinner
		pin.Pin(n)
		var all sync.WaitGroup
		for range 8 {
			all.Add(1)
			go func() {
				defer all.Done()
				for range 100 {
					if got := C.locked(n); got != 1 {
						panic(got)
					}
				}
			}()
		}
		all.Wait()
		fmt.Println(*n)
	},
	"sleep": func() {
		// Another goroutine goes on meanwhile, and no signal ends the sleep.
		var collections atomic.Int64
		go func() {
			for {
				runtime.GC()
				collections.Add(1)
			}
		}()
		for range 500 {
			before, start := collections.Load(), time.Now()
			if r := C.rest(20); r != 0 || time.Since(start) < 20*time.Millisecond {
				panic(fmt.Sprint("it slept ", time.Since(start), ", result ", r))
			}
			if collections.Load() >= before+2 {
				return
			}
		}
		panic("in no sleep did another goroutine run")
	},
}

func main() {
	runtime.GOMAXPROCS(1)
	scenarios[os.Args[1]]()
	fmt.Println("ok")
}
