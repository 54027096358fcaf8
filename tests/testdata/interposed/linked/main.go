// A program that is linked with a library which has functions of the C library's names, in a version of its own.
package main

/*
#cgo LDFLAGS: -L${SRCDIR} -lown -Wl,-rpath,${SRCDIR}
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

int own(void);
static int sleeps(void) { return usleep(7); }
static int polls(void) { return poll(NULL, 0, 0); }
*/
import "C"
import "fmt"

func main() { fmt.Println(C.own(), C.sleeps(), C.polls()) }
