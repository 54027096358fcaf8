// Package way gives C functions in Go's assembly that call Go.
package way

import (
	"sync"
	"unsafe"
)

// args lies on C's stack.
type args struct {
	to, n, result int64
}

var entries [3]unsafe.Pointer // of assembly
var code uintptr              // enter's

var (
	lock  sync.Mutex
	funcs [3]func(int64) int64
	known = map[unsafe.Pointer]int{}
)

func init() {
	f := enter
	code = **(**uintptr)(unsafe.Pointer(&f))
}

func enter(a *args) { a.result = funcs[a.to](a.n) }

// Pointer returns a C function, long (*)(long), that calls f: the same for the same func.
func Pointer(f func(int64) int64) unsafe.Pointer {
	lock.Lock()
	defer lock.Unlock()
	which := **(**unsafe.Pointer)(unsafe.Pointer(&f))
	i, ok := known[which]
	if !ok {
		i = len(known)
		known[which], funcs[i] = i, f
	}
	return entries[i]
}
