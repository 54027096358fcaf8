//go:build linux

// Package event measures package event of wherry beside what plain Go offers to
// a thread of C: a callback that sends on a channel, and an eventfd.
package event

/*
#cgo CFLAGS: -O2 -I${SRCDIR}/../../event
#cgo LDFLAGS: -pthread
#include <stdlib.h>
#include "threads.h"
*/
import "C"

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"unsafe"

	_ "github.com/wherrygo/wherry/event" // so that a changed header is compiled anew
)

// Record is what the threads post, 64 bytes.
type Record struct {
	Producer, Number uint64
	_                [6]uint64
}

// callbacks is where goRecord sends.
var callbacks chan Record

//export goRecord
func goRecord(p unsafe.Pointer) { callbacks <- *(*Record)(p) }

func parse(data []byte) Record { return *(*Record)(unsafe.Pointer(unsafe.SliceData(data))) }

// A poster is a thread that posts to queue, or if that is nil by callback.
type poster struct {
	c     *C.poster
	ticks []uint32
}

func start(queue unsafe.Pointer, producer, count int, everyNS int, timed bool) *poster {
	p := &poster{c: (*C.poster)(C.calloc(1, C.sizeof_poster))}
	p.c.queue, p.c.producer, p.c.count, p.c.every_ns = (*C.wherry_event_queue)(queue), C.uint64_t(producer), C.uint64_t(count), C.uint64_t(everyNS)
	if queue == nil {
		p.c.by = C.BY_CALLBACK
	}
	if timed {
		p.c.ticks = (*C.uint32_t)(C.calloc(C.size_t(count), 4))
		p.ticks = unsafe.Slice((*uint32)(p.c.ticks), count)
	}
	if n := C.poster_start(p.c); n != 0 {
		panic(fmt.Sprintf("pthread_create: %d", n))
	}
	return p
}

// wait gives the times of the posts that succeeded in nanoseconds, sorted, less
// what it costs to read the clock.
func (p *poster) wait() (times []float64, failed int) {
	C.poster_join(p.c)
	tick, cost := float64(C.tick_ns()), uint32(C.tick_cost())
	for _, t := range p.ticks {
		if t != 0 {
			times = append(times, float64(max(t, cost)-cost)*tick)
		}
	}
	slices.Sort(times)
	failed = int(p.c.failed)
	C.free(unsafe.Pointer(p.c.ticks))
	C.free(unsafe.Pointer(p.c))
	return times, failed
}

// A ringer is a thread that wakes a goroutine, by a post or by an eventfd.
type ringer struct{ c *C.ringer }

func newRinger(queue unsafe.Pointer, fd int) ringer {
	r := ringer{(*C.ringer)(C.calloc(1, C.sizeof_ringer))}
	r.c.queue, r.c.fd = (*C.wherry_event_queue)(queue), C.int(fd)
	if queue == nil {
		r.c.by = C.BY_CALLBACK
	}
	if n := C.ringer_start(r.c); n != 0 {
		panic(fmt.Sprintf("pthread_create: %d", n))
	}
	return r
}

func (r ringer) ring()         { C.ringer_ring(r.c) }
func (r ringer) stop()         { C.ringer_stop(r.c) }
func (r ringer) stamp() uint64 { return uint64(C.ringer_stamp(r.c)) }
func now() uint64              { return uint64(C.now_ns()) }

// newEventfd is the yardstick for a wake-up: what Go reads is a file.
func newEventfd() (*os.File, int, error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, 0x80800, 0)
	if errno != 0 {
		return nil, 0, errno
	}
	return os.NewFile(fd, "eventfd"), int(fd), nil
}
