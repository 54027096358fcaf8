// Command waits calls a function that the C library has had since release 2.35.
package main

/*
#define _GNU_SOURCE
#include <sys/epoll.h>
static int waits(void) {
	struct epoll_event event;
	struct timespec t = {0, 1000000};
	return epoll_pwait2(epoll_create1(0), &event, 1, &t, 0);
}
*/
import "C"

import "fmt"

func main() { fmt.Println(C.waits()) }
