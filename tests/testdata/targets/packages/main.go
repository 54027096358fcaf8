// Packages does by packages direct, callback and event what C can be used for.
package main

/*
#cgo LDFLAGS: -lpthread
#include "../work.h"
#include "wherry_event.h"

static void post(struct job *j) {
	for (int i = 0; j->queue != NULL && i < j->n; i++)
		wherry_event_post_tag(j->queue, i, &j->sum, sizeof j->sum);
}
static void *address(int i) {
	void *all[] = {add, calls, spins, is_inside, stop, waits, is_waiting, go_on, on_thread};
	return all[i];
}
*/
import "C"

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"runtime"
	"time"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
	"github.com/wherrygo/wherry/event"
)

func at(i int) unsafe.Pointer { return C.address(C.int(i)) }

var (
	add       = direct.MustBind[func(a, b int32) int32](at(0))
	calls     = direct.MustReentrant[func(back unsafe.Pointer, n int32) int64](at(1))
	calls2    = direct.MustBind[func(back unsafe.Pointer, n int32) int64](at(1))
	spins     = direct.MustBind[func(n int32) int32](at(2))
	isInside  = direct.MustBind[func() int32](at(3))
	stop      = direct.MustBind[func()](at(4))
	waits     = direct.MustBind[func(n int32) (int32, direct.Errno)](at(5))
	isWaiting = direct.MustBind[func() int32](at(6))
	goOn      = direct.MustBind[func()](at(7))
	onThread  = direct.MustBind[func(back unsafe.Pointer, n int32, queue unsafe.Pointer) int64](at(8))
)

func triple(n int32) int32 {
	if n%1000 == 0 {
		runtime.GC()
	}
	return 3 * n
}

// together runs c while another goroutine waits until it is there, and releases it: one
// processor is enough only if c's call is turned.
func together(c func(), there func() int32, release func()) {
	done := make(chan bool)
	go func() { c(); close(done) }()
	for there() == 0 {
		time.Sleep(time.Microsecond)
	}
	runtime.GC()
	release()
	<-done
}

func main() {
	back, err := callback.New(triple)
	if err != nil {
		log.Fatal(err)
	}
	defer back.Release()
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		before, sum := runtime.NumCgoCall(), int32(0)
		for range 1000 {
			sum = add(sum, 3)
		}
		fmt.Println("call", sum, "through cgo", runtime.NumCgoCall()-before >= 1000)
		fmt.Println("callback", calls(back.Pointer(), 3000), calls2(back.Pointer(), 3000))
		together(func() { fmt.Println("turned by a signal", spins(7)) }, isInside, stop)
		together(func() { n, _ := waits(7); fmt.Println("turned to wait", n) }, isWaiting, goOn)
		q, err := event.New(event.Options{MaxSize: 8, Capacity: 4096})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("thread", onThread(back.Pointer(), 3000, q.Pointer()))
		q.Close()
		tags := 0
		for e := range q.Events(context.Background()) {
			if binary.NativeEndian.Uint64(e.Data) == 13495500 {
				tags += int(e.Tag)
			}
		}
		fmt.Println("events", tags)
	}
}
