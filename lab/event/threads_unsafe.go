//go:build linux

// Package event measures package event of wherry beside what plain Go offers to
// a thread of C, a callback and an eventfd, and beside a ring between threads of C.
package event

/*
#cgo CFLAGS: -O2 -I${SRCDIR}/../../event
#cgo LDFLAGS: -pthread
#include <stdlib.h>
#include <string.h>
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

// A Record of 64 bytes begins and ends with its number.
type Record struct {
	Number uint64
	_      [6]uint64
	Again  uint64
}

// The ways by which a thread sends.
const (
	byQueue    = C.BY_QUEUE
	byCallback = C.BY_CALLBACK
	byChannel  = C.BY_CHANNEL
	byRing     = C.BY_RING
)

// line is a ring's size for records of 8 bytes in cells of 64.
const line = C.LINE

// ring is how many records the ring has room for, and beside it queue and channel.
const ring = C.RING

// A counter says which number of a thread comes next. Each has cache lines of its own.
type counter struct {
	next, wrong uint64
	_           [14]uint64
}

// newCounters begins to count.
func newCounters() (c [8]counter) {
	for i := range c {
		c[i].next = uint64(i) << threadShift
	}
	return c
}

const threadShift = 48

// counters are what goNumber counts with, one for each thread.
var counters [8]counter

// check looks whether a number is the one that comes next. What comes next follows from
// the number, not from the counter, so that no check waits for the one before it.
func check(number uint64) {
	c := &counters[number>>threadShift%uint64(len(counters))]
	if number != c.next {
		c.wrong++
	}
	c.next = number + 1
}

// goNumber is the smallest callback that sees every number.
//
//export goNumber
func goNumber(number uint64) { check(number) }

// channel is where goRecord sends.
var channel chan Record

//export goRecord
func goRecord(p unsafe.Pointer) { channel <- *(*Record)(p) }

// number returns a record's number, or a wrong one if not all of it is there.
func number(data []byte) uint64 {
	n := *(*uint64)(unsafe.Pointer(unsafe.SliceData(data)))
	if len(data) == 64 && (*Record)(unsafe.Pointer(unsafe.SliceData(data))).Again != n {
		return ^uint64(0) >> 1
	}
	return n
}

// A poster is a thread that sends.
type poster struct {
	c     *C.poster
	ticks []uint32
}

type job struct {
	by, producer, count, size, everyNS int
	queue                              unsafe.Pointer
	timed                              int // so many posts together, if not 0
}

func start(j job) *poster {
	p := &poster{c: (*C.poster)(C.calloc(1, C.sizeof_poster))}
	*p.c = C.poster{
		queue: (*C.wherry_event_queue)(j.queue), by: C.int(j.by), producer: C.uint64_t(j.producer),
		count: C.uint64_t(j.count), size: C.uint64_t(j.size), every_ns: C.uint64_t(j.everyNS), together: C.uint64_t(j.timed),
	}
	if j.by == byRing {
		p.c.ring = (*C.ring)(C.aligned_alloc(128, C.sizeof_ring))
		C.memset(unsafe.Pointer(p.c.ring), 0, C.sizeof_ring)
	}
	if j.timed > 0 {
		p.c.ticks = (*C.uint32_t)(C.calloc(C.size_t(j.count), 4))
		p.ticks = unsafe.Slice((*uint32)(p.c.ticks), j.count)
	}
	if n := C.poster_start(p.c); n != 0 {
		panic(fmt.Sprintf("pthread_create: %d", n))
	}
	return p
}

// receiveRings receives in C what posters send by rings, and returns how many
// records were wrong.
func receiveRings(posters []*poster) uint64 {
	rings := make([]*C.ring, len(posters))
	for i, p := range posters {
		rings[i] = p.c.ring
	}
	return uint64(C.rings_receive(&rings[0], C.int(len(rings)), posters[0].c.count, posters[0].c.size))
}

// wait returns the times of the posts that succeeded in nanoseconds, sorted, less
// what it costs to read the clock: the median of readings with nothing between them.
func (p *poster) wait() (times []float64, failed int) {
	C.poster_join(p.c)
	if p.ticks != nil {
		tick, cost := float64(C.tick_ns()), uint32(C.tick_cost())
		for _, t := range p.ticks {
			if t != 0 {
				times = append(times, float64(max(t, cost)-cost)*tick/float64(p.c.together))
			}
		}
	}
	slices.Sort(times)
	failed = int(p.c.failed)
	C.free(unsafe.Pointer(p.c.ticks))
	C.free(unsafe.Pointer(p.c.ring))
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
