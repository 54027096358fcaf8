package main

// #include "waits.h"
import "C"

import (
	"fmt"
	"os"
	"runtime"
)

var callback func()

//export goCallback
func goCallback() { callback() }

// holder ends a wait. It has a thread of its own: a mutex is its thread's.
func holder(way C.int, ready, wanted, done chan bool) {
	runtime.LockOSThread()
	C.before(way)
	ready <- true
	<-wanted
	C.end_it(way)
	done <- true
}

func main() {
	C.start()
	switch os.Args[1] {
	case "runs":
		for way := C.int(0); ; way++ {
			name := C.doze_name(way)
			if name == nil {
				break
			}
			go C.say()
			C.doze_until_said(way)
			fmt.Println(C.GoString(name), "ended")
		}
		for way := C.int(0); ; way++ {
			name := C.wait_name(way)
			if name == nil {
				break
			}
			for range 10 {
				ready, wanted, done := make(chan bool), make(chan bool, 1), make(chan bool, 1)
				go holder(way, ready, wanted, done)
				<-ready
				wanted <- true
				if C.wait_in(way) == 0 {
					panic(C.GoString(name) + " failed")
				}
				<-done
			}
			fmt.Println(C.GoString(name), "ended")
		}
	case "ends":
		for spins, times := range []int{100, 10} {
			for range times {
				held, done := make(chan bool), make(chan bool, 1)
				callback = func() {
					held <- true
					runtime.Gosched() // the other one begins to wait
				}
				go func() {
					<-held
					C.hold(C.int(spins), 0)
					done <- true
				}()
				C.hold(C.int(spins), 1)
				<-done
			}
			fmt.Println("lock", spins, "ended")
		}
		callback = runtime.Gosched
		for range 100 {
			if C.join_thread() == 0 {
				panic("no thread")
			}
		}
		fmt.Println("thread ended")
	case "eintr":
		go func() {
			for {
				runtime.GC()
			}
		}()
		for way := C.int(0); ; way++ {
			name := C.doze_name(way)
			if name == nil {
				break
			}
			n := 0
			for range 100 {
				n += int(C.interrupted(way))
			}
			fmt.Println(C.GoString(name), n)
		}
	}
}
