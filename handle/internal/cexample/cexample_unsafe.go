package cexample

/*
#include <stdlib.h>
#include <stdint.h>

typedef void (*each_fn)(int line, void *userdata);

// A subscription, as a C library would keep it.
struct subscription { each_fn fn; void *userdata; };

static struct subscription *subscribe(each_fn fn, void *userdata) {
	struct subscription *s = malloc(sizeof *s);
	s->fn = fn;
	s->userdata = userdata;
	return s;
}

static void publish(struct subscription *s, int line) {
	s->fn(line, s->userdata);
}

static void *unsubscribe(struct subscription *s) {
	void *userdata = s->userdata;
	free(s);
	return userdata;
}

static void *echo(void *p) { return p; }

static uintptr_t read_word(void *p) { return *(volatile uintptr_t *)p; }

extern void cexampleLine(int, void *);
static each_fn line_fn(void) { return cexampleLine; }
*/
import "C"

import (
	"unsafe"

	"github.com/wherrygo/wherry/handle"
)

// A Subscription lives in C, and so does the handle of its Go func.
type Subscription struct {
	c *C.struct_subscription
}

// Subscribe has C call f with each published line.
func Subscribe(f func(line int)) Subscription {
	return Subscription{C.subscribe(C.line_fn(), handle.New(&f).Pointer())}
}

//export cexampleLine
func cexampleLine(line C.int, userdata unsafe.Pointer) {
	f := handle.Typed[func(int)](handle.FromPointer(userdata)).Value()
	(*f)(int(line))
}

// Publish has C call all that is subscribed.
func (s Subscription) Publish(line int) {
	C.publish(s.c, C.int(line))
}

// Close takes the handle back from C and deletes it.
func (s Subscription) Close() {
	handle.FromPointer(C.unsubscribe(s.c)).Delete()
}

// Echo passes a pointer through C.
func Echo(p unsafe.Pointer) unsafe.Pointer {
	return C.echo(p)
}

// Read has C load a word from p, which faults for a handle.
func Read(p unsafe.Pointer) uintptr {
	return uintptr(C.read_word(p))
}
