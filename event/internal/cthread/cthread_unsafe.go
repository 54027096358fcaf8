//go:build linux

// Package cthread makes threads in C that post to a queue, for the tests of
// package event, which cannot use cgo themselves. wherry_event.h is linked into
// this folder so that the go command sees when it changes.
package cthread

/*
#cgo CFLAGS: -I${SRCDIR}/../.. -O2 -Wall -Wextra -Werror
#cgo LDFLAGS: -pthread
#include <stdlib.h>
#include "cthread.h"
*/
import "C"

import (
	"fmt"
	"time"
	"unsafe"
)

// A Job is what a thread posts: numbers First to First+Count-1 of a producer.
type Job struct {
	Producer     int
	First, Count uint64
	Min, Max     int // bytes of a record
	Pause        int // one post in so many is followed by a pause
	Flags        uint
	Early        int  // so many posts go without a system call, at first
	Again        bool // post again when the queue is full
	Stammer      bool // pause in mid-post, at random; of the rest only Producer and Count count
	Signals      int  // at least so many posts as Producer+1, by a signal handler
}

// A Result counts what the posts returned.
type Result struct{ Posted, Full, Other, Errno uint64 }

// A Thread runs a Job.
type Thread struct{ job *C.job }

// Start starts a thread.
func Start(queue unsafe.Pointer, j Job) *Thread {
	c := (*C.job)(C.calloc(1, C.sizeof_job))
	*c = C.job{
		queue: (*C.wherry_event_queue)(queue), producer: C.uint32_t(j.Producer),
		first: C.uint64_t(j.First), count: C.uint64_t(j.Count),
		min: C.uint32_t(max(j.Min, HeaderSize)), max: C.uint32_t(max(j.Max, j.Min, HeaderSize)),
		pause: C.uint32_t(j.Pause), flags: C.uint(j.Flags), signals: C.int(j.Signals), early: C.uint64_t(j.Early),
	}
	if j.Again {
		c.again = 1
	}
	n := C.int(0)
	if j.Stammer {
		n = C.cthread_stammer(c)
	} else {
		n = C.cthread_start(c)
	}
	if n != 0 {
		panic(fmt.Sprintf("cthread: pthread_create: %d", n))
	}
	return &Thread{c}
}

// Wait waits for the thread's end.
func (t *Thread) Wait() Result {
	C.cthread_join(t.job)
	r := Result{uint64(t.job.posted), uint64(t.job.full), uint64(t.job.other), uint64(t.job.last_errno)}
	C.free(unsafe.Pointer(t.job))
	return r
}

// HeaderSize is the size of the smallest record.
const HeaderSize = C.sizeof_mark

// Parse checks a record, and says whose it is and which.
func Parse(tag uint64, data []byte) (producer int, number uint64, err error) {
	if len(data) < HeaderSize {
		return 0, 0, fmt.Errorf("a record of %d bytes", len(data))
	}
	m := *(*C.mark)(unsafe.Pointer(unsafe.SliceData(data)))
	if int(m.size) != len(data) || tag != uint64(m.producer)<<48|uint64(m.number) {
		return 0, 0, fmt.Errorf("a record of %d bytes with tag %#x has the mark %+v", len(data), tag, m)
	}
	for i := HeaderSize; i < len(data); i++ {
		if want := byte(uint64(m.producer) + uint64(m.number) + uint64(i)); data[i] != want {
			return 0, 0, fmt.Errorf("record %d of producer %d has %#x at %d, want %#x", m.number, m.producer, data[i], i, want)
		}
	}
	return int(m.producer), uint64(m.number), nil
}

// How a Victim does not finish a step.
const (
	Exit   = iota // pthread_exit
	Cancel        // pthread_cancel
	Stay          // goes on when told
)

// A Victim is a thread that posts one record and stops before one of its steps.
type Victim struct{ v *C.victim }

// NewVictim starts a thread and waits until it has stopped, or finished the
// post: then stopped is false.
func NewVictim(queue unsafe.Pointer, producer int, number uint64, step, how int, flags uint) (victim *Victim, stopped bool) {
	v := (*C.victim)(C.calloc(1, C.sizeof_victim))
	*v = C.victim{queue: (*C.wherry_event_queue)(queue), producer: C.uint32_t(producer), number: C.uint64_t(number),
		stop_at: C.int(step), how: C.int(how), flags: C.uint(flags)}
	if n := C.cthread_victim(v); n != 0 {
		panic(fmt.Sprintf("cthread: pthread_create: %d", n))
	}
	for C.cthread_stopped(v) == 0 {
		time.Sleep(20 * time.Microsecond)
	}
	stopped = C.cthread_stopped(v)&1 != 0
	if stopped && how == Cancel {
		C.cthread_cancel(v)
	}
	return &Victim{v}, stopped
}

// Go lets a Victim that stays go on.
func (v *Victim) Go() { C.cthread_go(v.v) }

// Wait waits for the thread's end, and says what the post returned.
func (v *Victim) Wait() int {
	C.cthread_join_victim(v.v)
	result := int(v.v.result)
	C.free(unsafe.Pointer(v.v))
	return result
}

// Post posts from the calling thread.
func Post(queue unsafe.Pointer, tag uint64, data unsafe.Pointer, size int, flags uint) int {
	return int(C.cthread_post(queue, C.uint64_t(tag), data, C.size_t(size), C.uint(flags)))
}

// PostMany posts numbers, each with itself as the tag.
func PostMany(queue unsafe.Pointer, first, count uint64) int {
	return int(C.cthread_post_many(queue, C.uint64_t(first), C.uint64_t(count)))
}

// PostInChild posts from a child process, after fork.
func PostInChild(queue unsafe.Pointer) int { return int(C.cthread_post_in_child(queue)) }

// Layout is what the header says about itself; see TestLayout.
func Layout(i int) uint64 { return uint64(C.cthread_layout(C.int(i))) }

// The header's results and flags.
const (
	Full     = C.WHERRY_EVENT_FULL
	TooBig   = C.WHERRY_EVENT_TOO_BIG
	Closed   = C.WHERRY_EVENT_CLOSED
	BadQueue = C.WHERRY_EVENT_BAD_QUEUE
	BadData  = C.WHERRY_EVENT_BAD_DATA
	NoWake   = C.WHERRY_EVENT_NOWAKE
	NoWait   = C.WHERRY_EVENT_NOWAIT
)
