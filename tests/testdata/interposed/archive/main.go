// A static archive with functions of the C library's names: those that the program calls are
// taken from it, and the others are the C library's.
package main

/*
#cgo LDFLAGS: -L${SRCDIR} -larchive
#include <sys/file.h>
#include <unistd.h>
static int naps(void) { return usleep(1); }
static int sleeps(void) { return (int)sleep(0); }
extern int taken_with_flock __attribute__((weak));
static int takes_flock(void) { return &taken_with_flock != NULL; }
*/
import "C"

import "fmt"

func main() { fmt.Println(C.naps(), C.sleeps(), C.takes_flock()) }
