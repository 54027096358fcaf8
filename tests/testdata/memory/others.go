// Packages callback and event in use, looked at from a Go func that C calls and from a
// thread that posts.

package main

/*
#include "wherry_event.h"
static int each(void *f) { int (*call)(int) = (int (*)(int))f; return call(2); }
static int post(void *q) { int v = 7; return wherry_event_post(q, &v, sizeof v); }
*/
import "C"

import (
	"context"
	"time"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/event"
)

func others() {
	f, err := callback.New(func(n int32) int32 { return int32(inGo(C.int(n))) })
	if err != nil {
		panic(err)
	}
	wrong("callback.New", C.each(f.Pointer()))
	f.Release()
	q, err := event.New(event.Options{})
	if err != nil {
		panic(err)
	}
	wrong("post", C.post(q.Pointer()))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if events, err := q.Batch(ctx); err != nil || len(events) != 1 {
		panic(err)
	}
	wrong("event", C.int(inGo(1)))
	q.Close()
}
