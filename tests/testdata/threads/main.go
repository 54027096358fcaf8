package main

// extern long nest(long), touch(long), holds(void), looked_at(void);
// extern void threads(int n, int kind, int end, long count), dies(int how), audio(int n), handle(void), watchdog(int n), load(char *path), signalled(int);
import "C"

import (
	"fmt"
	"iter"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

var (
	count   atomic.Int64
	channel = make(chan int)
	mutex   sync.Mutex
	sink    atomic.Pointer[[100]byte]
)

//export goAdd
func goAdd(a, b C.long, c C.double) C.long { return a + b + C.long(c) }

//export goCount
func goCount(n C.long) { count.Add(int64(n)) }

//export goAlloc
func goAlloc() { sink.Store(new([100]byte)) }

//export goSend
func goSend() { channel <- 1 }

//export goNest
func goNest(n C.long) C.long { return C.nest(n-1) + 1 }

//export goGrow
func goGrow(n C.long) { grow(int(n)) }

func grow(n int) int {
	var a [128]byte
	if n == 0 {
		return int(a[0])
	}
	return grow(n-1) + int(a[n%128])
}

//export goCollect
func goCollect(n C.long) {
	if n%500 == 0 {
		runtime.GC()
	} else if n%100 == 0 {
		runtime.Gosched()
	}
}

//export goCallsC
func goCallsC(n C.long) C.long { return C.touch(n % 60) }

//export goRecover
func goRecover() {
	defer func() { recover() }()
	panic("inside")
}

//export goLock
func goLock() {
	mutex.Lock()
	count.Load()
	mutex.Unlock()
}

type coroutine struct { // of Go's
	next func() (C.long, bool)
	stop func()
}

var coroutines sync.Map // by the thread

// goResume resumes one that counts from 0 to 999, in callbacks before and while the thread holds its P, and
// after that.
//
//export goResume
func goResume(i C.long) C.long {
	thread := syscall.Gettid()
	if i == 0 {
		next, stop := iter.Pull(func(yield func(C.long) bool) {
			for i := C.long(0); yield(i); i++ {
			}
		})
		coroutines.Store(thread, coroutine{next, stop})
	}
	c, _ := coroutines.Load(thread)
	n, _ := c.(coroutine).next()
	if i == 999 {
		c.(coroutine).stop()
	}
	return n
}

//export goFrames
func goFrames(frames *C.float, n C.int) {
	for i := range unsafe.Slice(frames, n) {
		unsafe.Slice(frames, n)[i] = C.float(i)
	}
}

//export goPanic
func goPanic() { panic("a panic in a callback") }

//export goExit
func goExit() { runtime.Goexit() }

//export goNil
func goNil() { var p *int; *p = 1 }

func main() {
	var n [4]int
	for i, text := range os.Args[1:] {
		n[i], _ = strconv.Atoi(text)
	}
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(4)
	}
	if len(os.Args) == 2 && os.Args[1] == "libraries" {
		fmt.Println("holds meanwhile", C.looked_at(), "and then", C.holds())
		return
	}
	if len(os.Args) == 2 {
		C.dies(C.int(n[0]))
		return
	}
	if len(os.Args) == 3 {
		switch os.Args[1] {
		case "audio":
			C.audio(C.int(n[1]))
		case "handler":
			C.handle()
			C.threads(3, 0, 0, C.long(n[1]))
		case "library":
			C.load(C.CString(os.Args[2]))
			C.threads(3, 0, 0, 20000)
		case "signal":
			C.signalled(C.int(n[1]))
		case "watchdog":
			signals := make(chan os.Signal, 1)
			signal.Notify(signals, syscall.SIGABRT)
			C.watchdog(C.int(n[1]))
			<-signals
			fmt.Println("watched")
			return
		}
		fmt.Println("holds", C.holds())
		return
	}
	go func() {
		for range channel {
		}
	}()
	go func() { // holds the mutex now and then
		for {
			mutex.Lock()
			mutex.Unlock()
			time.Sleep(50 * time.Microsecond)
		}
	}()
	before := runtime.NumGoroutine()
	if os.Getenv("LIVES") == "many" {
		manyLives(n)
	} else {
		C.threads(C.int(n[0]), C.int(n[1]), C.int(n[2]), C.long(n[3]))
	}
	for range 5000 { // a detached thread ends after it has said so
		if runtime.NumGoroutine() == before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println("count", count.Load(), "goroutines", runtime.NumGoroutine()-before)
	fmt.Fprintln(os.Stderr, C.holds())
}
