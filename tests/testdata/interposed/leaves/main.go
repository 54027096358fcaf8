// C that a goroutine calls ends its thread, in each way that there is. The goroutine never comes
// back, and others go on, also when the collector stops them.
package main

/*
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

static int left;
enum { EXIT, THRD_EXIT, CANCELED, CANCELED_WAITING, CANCELED_AT_ONCE, WAYS };
static void leave(int way) {
	left++;
	if (way == CANCELED_AT_ONCE)
		pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	if (way >= CANCELED)
		pthread_cancel(pthread_self());
	switch (way) {
	case EXIT: pthread_exit(NULL);
	case THRD_EXIT: thrd_exit(0);
	case CANCELED: pthread_testcancel();
	case CANCELED_WAITING: usleep(1);
	}
}
static int leaves(void) { return left; }
*/
import "C"

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

func main() {
	if len(os.Args) > 1 {
		way, _ := strconv.Atoi(os.Args[1])
		leave(C.int(way))
		return
	}
	for way := range int(C.WAYS) {
		cmd := exec.Command(os.Args[0], strconv.Itoa(way))
		timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		text, err := cmd.CombinedOutput()
		timer.Stop()
		fmt.Printf("%d: %s%v\n", way, text, err)
	}
}

func leave(way C.int) {
	for i := range 4 {
		go func() {
			if i%2 == 1 {
				runtime.LockOSThread()
			}
			defer fmt.Println("a deferred function runs")
			C.leave(way)
		}()
		for C.leaves() <= C.int(i) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(5 * time.Millisecond)
		runtime.GC()
	}
	fmt.Println(C.leaves(), "of", runtime.NumGoroutine())
}
