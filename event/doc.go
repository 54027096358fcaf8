// Package event lets threads that C created post records to Go without crossing
// into Go: a ring in shared memory, a C header, and an iterator.
//
//	q, err := event.New(event.Options{MaxSize: 64})
//	...
//	C.library_start(q.Pointer()) // C's threads post
//	for e := range q.Events(ctx) {
//		handle(e.Tag, e.Data)
//	}
//
// In C, from any thread, also a real-time thread or a signal handler:
//
//	#include "wherry_event.h" // see The header, below
//	wherry_event_post(queue, &record, sizeof record);
//
// A post does not involve Go's scheduler: it copies the record and returns after 2
// to 5 ns. When the goroutine sleeps, the post also writes to an eventfd,
// which takes microseconds; wherry_event_post_nowake leaves that to
// Options.Poll.
//
// # Callback, thread that holds its P, or event
//
// In a program built by `wherry build`, a C thread that calls back often holds its P, the
// right to run Go code, between callbacks. BENCHMARKS.md has the measurements. In short, a callback through cgo
// takes about 50 ns of the C thread's time, one from a thread that holds its P 5 to 7 ns,
// and a post 2 to 5 ns. In a stream of posts, Go receives a record every 6 to 13 ns: for
// records of 8 bytes about the time of a callback from a thread that holds its P, for
// records of 64 bytes up to twice that.
//
// A callback through cgo is right when
//
//   - C needs an answer, or Go's effect before it goes on: a post only says that
//     something happened;
//   - events are rare, below some thousand a second, and nothing in C is in a
//     hurry: a callback is simpler, and no goroutine has to be woken. From a post
//     to a sleeping goroutine it takes microseconds, as by an eventfd;
//   - it runs on a thread that Go called from: then it is a nested call;
//   - records hold pointers that C takes back when its callback returns: a post
//     copies the record, not what it points to.
//
// A callback from a thread that holds its P, in a program that wherry builds, does the
// same: nothing changes but what it costs. It is right for the same purposes when there
// are many callbacks without a pause between them. At most GOMAXPROCS-1 threads hold their
// P at once; callbacks of the others go through cgo. What Go does with an event still
// takes the thread's time.
//
// A queue is right when the thread must not wait: every callback may have to wait for
// Go's scheduler, even if the thread holds its P, stops while the collector stops the
// world, and must not be made from a signal handler. It is also right when there are many
// events, from one thread or from more threads than can hold a P, and Go has a processor of
// its own: C continues at once. Otherwise C and Go take turns: C fills a ring, then Go empties it.
//
// # The header
//
// wherry_event.h is C99 and C++17, for gcc and clang, and there is nothing to
// link. A package that others import keeps a copy beside its own C code, which
// cgo finds without flags:
//
//	//go:generate go run github.com/wherrygo/wherry/event/header wherry_event.h
//
// A program may point the compiler to this package instead:
//
//	CGO_CFLAGS=-I$(go list -f '{{.Dir}}' github.com/wherrygo/wherry/event) go build
//
// The queue carries the version of its layout: a post through an old copy of
// the header returns WHERRY_EVENT_BAD_QUEUE. A NULL pointer, a pointer that is
// not aligned and one to other memory return that too; a pointer to memory that
// does not exist is a fault, as everywhere in C.
//
// # Order, loss and full queues
//
// Records of one thread come in the order in which it posted them. A post that
// returned 0 is received, unless Options.Full is Overwrite and newer records
// took its place; every loss is counted in Stats. What a full queue does is
// chosen at New: the post fails (Drop), the oldest record goes (Overwrite), or
// the thread waits (Wait).
//
// The first threads that post have a ring each, and share no memory; later ones
// share one (Options.Lanes). Order is kept for a thread: a goroutine that posts
// through cgo may move between threads. Records of two threads may come
// in any order, even where one waited for the other: a record that says "that was
// all" also says how many there were.
//
// A child process after fork has no queue: a post returns WHERRY_EVENT_BAD_QUEUE
// there (on Linux; elsewhere it writes to a copy).
//
// A thread that is descheduled in mid-post blocks no other. One that ends in
// mid-post loses the record that it was writing; its cell is found and reused (in the
// shared ring only if its id was known, see wherry_event_thread). If it ended between
// completing the record and waking Go, the record is received with the next one.
// DESIGN.md has the algorithm and why it is right.
//
// # Systems
//
// Linux on 64-bit processors is tested (amd64, arm64). On other 64-bit Unix
// systems a pipe replaces the eventfd, waiting threads poll, and the cell of a
// thread that ended in mid-post is lost. Elsewhere New returns ErrUnsupported.
// The package itself needs no cgo.
package event
