//go:build linux && cgo && (amd64 || arm64)

package event_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"time"

	"github.com/wherrygo/wherry/event"
	"github.com/wherrygo/wherry/event/internal/cthread"
)

// postThree stands for a thread of a C library. It calls, for each number,
//
//	wherry_event_post_tag(queue, number, &number, sizeof number);
func postThree(q *event.Queue) { cthread.PostMany(q.Pointer(), 1, 3) }

func Example() {
	q, err := event.New(event.Options{MaxSize: 64})
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		postThree(q)
		q.Close() // Events ends when all have been received
	}()
	for e := range q.Events(context.Background()) {
		fmt.Println(e.Tag, binary.NativeEndian.Uint64(e.Data))
	}
	s := q.Stats()
	fmt.Println(s.Posted, "posted,", s.Dropped, "dropped")
	// Output:
	// 1 1
	// 2 2
	// 3 3
	// 3 posted, 0 dropped
}

func ExampleQueue_Batch() {
	q, err := event.New(event.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer q.Close()
	postThree(q)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	events, err := q.Batch(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(events), "at once")
	// Output: 3 at once
}

// Events forwarded into a channel, for a select with others.
func ExampleChan() {
	q, err := event.New(event.Options{})
	if err != nil {
		log.Fatal(err)
	}
	numbers := event.Chan(context.Background(), q, 16, func(e event.Event) uint64 {
		return binary.NativeEndian.Uint64(e.Data)
	})
	postThree(q)
	q.Close()
	for n := range numbers {
		fmt.Println(n)
	}
	// Output:
	// 1
	// 2
	// 3
}

// A ring of two that is full: the oldest records go, and are counted.
func ExampleOptions_overwrite() {
	q, err := event.New(event.Options{Capacity: 2, Full: event.Overwrite})
	if err != nil {
		log.Fatal(err)
	}
	postThree(q)
	q.Close()
	for e := range q.Events(context.Background()) {
		fmt.Println(e.Tag)
	}
	fmt.Println(q.Stats().Overwritten, "overwritten")
	// Output:
	// 2
	// 3
	// 1 overwritten
}
