//go:build libuv && cgo

package main

/*
#cgo pkg-config: libuv
#include <stdlib.h>
#include "uv_sums.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/wherrygo/wherry/event"
)

//go:generate go run github.com/wherrygo/wherry/event/header wherry_event.h

// A file is what libuv's threads found out about one.
type file struct {
	name      string
	size, sum uint64
	unread    bool
}

// sums has libuv read the files of a directory, and gives each as it is posted.
func sums(ctx context.Context, directory string, each func(file)) (ticks uint64, err error) {
	// Pool threads may wait: a listing must be complete.
	q, err := event.New(event.Options{Capacity: 256, MaxSize: C.sizeof_file_sum, Full: event.Wait})
	if err != nil {
		return 0, err
	}
	path := C.CString(directory)
	defer C.free(unsafe.Pointer(path))
	walk := C.walk_start(q.Pointer(), path)
	if walk == nil {
		return 0, errors.Join(errors.New("uv: no thread"), q.Close(), q.Free())
	}
	files, all := uint64(0), ^uint64(0)
	for e := range q.Events(ctx) {
		switch e.Tag {
		case C.WALK_FILE:
			f := (*C.file_sum)(unsafe.Pointer(unsafe.SliceData(e.Data)))
			each(file{C.GoString(&f.name[0]), uint64(f.size), uint64(f.sum), f.error != 0})
			files++
		case C.WALK_TICK:
			ticks = uint64(*(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(e.Data))))
		case C.WALK_END:
			all = uint64(*(*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(e.Data))))
		}
		if files == all {
			break
		}
	}
	q.Close() // so that no thread waits for room if ctx ended the loop
	C.walk_wait(walk)
	defer C.free(unsafe.Pointer(walk))
	if walk.error[0] != 0 {
		err = fmt.Errorf("uv: %s", C.GoString(&walk.error[0]))
	}
	if ctx.Err() == nil && walk.lost != 0 {
		err = errors.Join(err, fmt.Errorf("uv: %d posts failed", walk.lost))
	}
	// The threads have ended, so nobody holds the pointer any more.
	return ticks, errors.Join(err, ctx.Err(), q.Free())
}
