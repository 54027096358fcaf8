package main

// #include "calls.h"
import "C"

import (
	"log"
	"runtime"
	"syscall"
	"time"
)

// ways returns all ways to wait, with their names.
func ways(yield func(C.int, string) bool) {
	for way := range C.int(C.WAYS) {
		if !yield(way, C.GoString(C.way_name(way))) {
			return
		}
	}
}

// wait has C wait. Another thread ends it, where the call itself does not.
func wait(way C.int, length time.Duration, meanwhile func()) syscall.Errno {
	us := C.int(length.Microseconds())
	C.prepare(way, us)
	meanwhile()
	if way == C.RAW_FUTEX || way == C.SPIN {
		return syscall.Errno(C.wait_raw(way, us))
	}
	return syscall.Errno(C.wait_in(way, us))
}

// How long a goroutine waits for the only P, which a goroutine has whose C waits.
func lateCases() []testCase {
	const samples = 50
	var list []testCase
	for way, name := range ways {
		length := 20 * time.Millisecond
		if way == C.RAW_FUTEX || way == C.SPIN {
			length = 80 * time.Millisecond
		}
		list = append(list, testCase{"late/" + name, func() {
			runtime.GOMAXPROCS(1)
			late := make(chan time.Duration, 1)
			var all []time.Duration
			for range samples {
				err := wait(way, length, func() {
					begin := time.Now()
					go func() { late <- time.Since(begin) }()
				})
				switch err {
				case 0, syscall.ETIMEDOUT, syscall.EAGAIN, syscall.EINTR:
				default:
					log.Fatalf("%s: %v", name, err)
				}
				all = append(all, <-late)
			}
			printDurations("late", all)
		}})
	}
	return list
}

// How often a caller that does not expect it sees EINTR, of so many calls.
func eintrCases() []testCase {
	const calls = 200
	var list []testCase
	for way, name := range ways {
		if way == C.SPIN {
			continue
		}
		list = append(list, testCase{"eintr/" + name, func() {
			runtime.GOMAXPROCS(2)
			go func() {
				for {
					runtime.GC()
				}
			}()
			interrupted := 0
			for range calls {
				switch err := wait(way, time.Millisecond, func() {}); err {
				case syscall.EINTR:
					interrupted++
				case 0, syscall.ETIMEDOUT, syscall.EAGAIN:
				default:
					log.Fatalf("%s: %v", name, err)
				}
			}
			print("EINTR-of-200", float64(interrupted))
		}})
	}
	return list
}
