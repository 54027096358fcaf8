package main

import (
	"fmt"
	"testing"

	"github.com/pebbe/zmq4"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob pushes a thousand small messages from one goroutine to another.
func BenchmarkJob(b *testing.B) {
	push, err := zmq4.NewSocket(zmq4.PUSH)
	if err != nil {
		b.Fatal(err)
	}
	defer push.Close()
	pull, err := zmq4.NewSocket(zmq4.PULL)
	if err != nil {
		b.Fatal(err)
	}
	defer pull.Close()
	if err := push.Bind("inproc://job"); err != nil {
		b.Fatal(err)
	}
	if err := pull.Connect("inproc://job"); err != nil {
		b.Fatal(err)
	}
	var messages []string
	for i := range 1000 {
		messages = append(messages, fmt.Sprintf("sensor %d reads %d degrees", i, i%40))
	}
	sent := make(chan error)
	for range job.Ops(b) {
		go func() {
			var err error
			for _, m := range messages {
				if _, e := push.Send(m, 0); e != nil {
					err = e
				}
			}
			sent <- err
		}()
		for _, want := range messages {
			if m, err := pull.Recv(0); err != nil || m != want {
				b.Fatalf("got %q, %v, want %q", m, err, want)
			}
		}
		if err := <-sent; err != nil {
			b.Fatal(err)
		}
	}
}
