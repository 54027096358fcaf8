// Package tasks runs the program of golang/go issue 60961 (parallel calls from C to Go
// cause lock contention), in its shape but not its text: as many workers as
// GOMAXPROCS take ten million tasks from a channel, and each task calls C,
// which calls Go, which calls C.
package tasks

/*
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern void goValue(uint8_t *key, uint8_t *value);

// get_value asks Go for the value of a key, both of 32 bytes.
static void get_value(uint8_t *key, uint8_t *value) {
	uint8_t found[32];
	goValue(key, found);
	memcpy(value, found, sizeof found);
}
*/
import "C"

import (
	"fmt"
	"sync"
	"unsafe"
)

// size is that of keys and values, in bytes.
const size = 32

// run lets workers do n tasks, which they take from a channel.
func run(n, workers int) error {
	tasks := make(chan struct{}, n)
	for range n {
		tasks <- struct{}{}
	}
	close(tasks)

	var all sync.WaitGroup
	done := make([]int, workers)
	errs := make(chan error, workers)
	for worker := range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			count := 0
			for range tasks {
				if err := task(byte(count)); err != nil {
					errs <- err
					return
				}
				count++
			}
			done[worker] = count
		}()
	}
	all.Wait()
	select {
	case err := <-errs:
		return err
	default:
	}
	total := 0
	for _, count := range done {
		total += count
	}
	if total != n {
		return fmt.Errorf("%d tasks done, want %d", total, n)
	}
	return nil
}

// task gets one value: Go - C - Go - C, with key and value on C's heap.
func task(seed byte) error {
	key := C.malloc(size)
	value := C.malloc(size)
	k, v := (*[size]byte)(key), (*[size]byte)(value)
	for i := range k {
		k[i], v[i] = seed+byte(i), 0
	}
	C.get_value((*C.uint8_t)(key), (*C.uint8_t)(value))
	equal := *k == *v
	C.free(key)
	C.free(value)
	if !equal {
		return fmt.Errorf("task %d got a wrong value", seed)
	}
	return nil
}

// goValue gives every key itself as its value, and copies it by C.
//
//export goValue
func goValue(key, value *C.uint8_t) {
	C.memcpy(unsafe.Pointer(value), unsafe.Pointer(key), size)
}
