// C that hands its argument to another thread, which calls Go with it, and waits until
// that is done: by a semaphore, by a lock, by a flag.
package handedover

/*
#cgo LDFLAGS: -lpthread
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

extern void completed(int *);

typedef struct { int *user; int done; } request;
static request *volatile queue;
static sem_t submitted, finished;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int flag;

static void *serve(void *unused)
{
	for (;;) {
		request *r;
		while (!(r = __atomic_exchange_n(&queue, 0, __ATOMIC_ACQ_REL)))
			sched_yield();
		int *user = r->user;
		completed(user);
		__atomic_store_n(&r->done, 1, __ATOMIC_RELEASE);
		__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
		sem_post(&finished);
	}
	return 0;
}

static void start(void)
{
	pthread_t t;
	sem_init(&finished, 0, 0);
	pthread_create(&t, 0, serve, 0);
}

static void by_semaphore(int *user)
{
	request r = {user};
	queue = &r;
	while (sem_wait(&finished))
		;
	flag = 0;
}

static void by_flag(int *user)
{
	static request r;
	r.user = user;
	queue = &r;
	while (!flag)
		;
	flag = 0;
	sem_trywait(&finished);
}

static request shared;

static void submit(int *user) { shared.user = user; shared.done = 0; queue = &shared; }

// Nothing but a loop.
static void by_spinning(int *user)
{
	submit(user);
	for (long n = 0; n < 1L << 40; n++)
		if (((volatile request *)&shared)->done)
			return;
	abort();
}

// Nor here, where a function looks.
static __attribute__((noinline)) int is_done(void) { return __atomic_load_n(&shared.done, __ATOMIC_ACQUIRE); }
static void by_asking(int *user)
{
	submit(user);
	while (!is_done())
		;
}
*/
import "C"

import (
	"fmt"
	"runtime"

	"example.com/m/stack"
)

var kept []*C.int

//export completed
func completed(p *C.int) {
	*p *= 2
	kept = append(kept, p)
}

//go:noinline
func semaphore(n int) int { x := C.int(n); C.by_semaphore(&x); stack.Grow(20); return int(x) }

//go:noinline
func flag(n int) int { x := C.int(n); C.by_flag(&x); stack.Grow(20); return int(x) }

//go:noinline
func spinning(n int) int { x := C.int(n); C.by_spinning(&x); stack.Grow(20); return int(x) }

//go:noinline
func asking(n int) int { x := C.int(n); C.by_asking(&x); stack.Grow(20); return int(x) }

// Main is run by its name.
func Main() {
	C.start()
	const rounds = 100
	results := make(chan int)
	for _, request := range []func(int) int{semaphore, flag, spinning, asking} {
		sum, other := 0, 0
		kept = nil
		for n := range rounds {
			go func() { results <- request(n) }()
			sum += <-results
			if n%20 == 0 {
				runtime.GC()
			}
		}
		for n, p := range kept {
			if int(*p) != 2*n {
				other++
			}
		}
		fmt.Println(sum, len(kept), other)
	}
}
