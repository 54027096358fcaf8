// Command switched calls C in each way that wherry knows, and says how many of the calls cgo made.
package main

/*
#cgo noescape promised
#cgo nocallback promised
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct { double x, y; int kind; char name[24]; } shape;

extern int visited(int);

static int add(int a, int b) { return a + b; }
static double scale(double x, int by) { return x * by; }
static int fails(int with) { errno = with; return -1; }
static shape moved(shape s, double by) { s.x += by; s.y -= by; s.kind++; return s; }
static int waits(void) { usleep(50); return 7; }
static int visits(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += visited(i); return sum; }
static int own_stack(int n) { return visits(n) + 1; }
static int assured(int a) { return a * 3; }
static int promised(int *a) { return *a + 4; }
static int breaks(int *a) { return visited(*a); }
static long computes(int n) { long sum = 0; for (int i = 0; i < n * 1000; i++) sum = sum * 31 + i; return sum; }
static int sorts(int n) {
	int all[100];
	for (int i = 0; i < n; i++) all[i] = visited(n - i);
	return all[0] + all[n - 1];
}
static void *thread(void *n) { return (void *)(long)visits((int)(long)n); }
static long by_thread(int n) {
	pthread_t t;
	void *result = 0;
	pthread_create(&t, 0, thread, (void *)(long)n);
	pthread_join(t, &result);
	return (long)result;
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

//wherry:reentrant own_stack
//wherry:nocallback assured breaks

//export visited
func visited(i C.int) C.int {
	if i%50 == 0 {
		runtime.GC()
	}
	return C.add(i, grown(int(i)%20))
}

// grown makes the goroutine's stack grow.
func grown(n int) C.int {
	var frame [256]byte
	frame[n] = byte(n)
	if n == 0 {
		return 1
	}
	return grown(n-1) + C.int(frame[n]) - C.int(n)
}

var ways = []struct {
	name string
	call func(i int) any
}{
	{"short", func(i int) any { return C.add(C.int(i), 2) }},
	{"floats", func(i int) any { return C.scale(C.double(i), 3) }},
	{"errno", func(i int) any { n, err := C.fails(C.int(i%40 + 1)); return fmt.Sprint(n, err) }},
	{"struct", func(i int) any { return fmt.Sprint(C.moved(C.shape{x: 1, kind: C.int(i)}, 2)) }},
	{"waits", func(int) any { return C.waits() }},
	{"calls back", func(i int) any { return C.visits(C.int(i % 70)) }},
	{"by a rule on a C stack", func(i int) any { return C.own_stack(C.int(i % 70)) }},
	{"by a rule without callbacks", func(i int) any { return C.assured(C.int(i)) }},
	{"as cgo's directives promise", func(i int) any { n := C.int(i); return C.promised(&n) }},
	{"computes", func(i int) any { return C.computes(C.int(i)) }},
	{"calls back in between", func(i int) any { return C.sorts(C.int(i%90 + 1)) }},
	{"a C thread", func(i int) any { return C.by_thread(C.int(i % 70)) }},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "breaks" {
		n := C.int(1)
		fmt.Println(C.breaks(&n))
		return
	}
	debug.SetGCPercent(10)
	for _, way := range ways {
		before := runtime.NumCgoCall()
		var text strings.Builder
		for i := range 200 {
			fmt.Fprint(&text, way.call(i), " ")
		}
		calls := runtime.NumCgoCall() - before
		done := make(chan bool)
		go func() {
			for i := range 20 {
				fmt.Fprint(&text, way.call(i), " ")
				time.Sleep(time.Microsecond)
			}
			close(done)
		}()
		<-done
		fmt.Printf("%s: %d calls: %s\n", way.name, calls, &text)
	}
}
