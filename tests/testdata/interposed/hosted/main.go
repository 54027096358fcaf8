// A shared library whose host, or what that was started with, has functions of the C library's names.
package main

/*
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int sleeps(void) { return usleep(7); }
static int locks(void) { return pthread_mutex_lock(&mutex) | pthread_mutex_unlock(&mutex); }
*/
import "C"

//wherry:fast sleeps
//wherry:fast locks

//export Sleeps
func Sleeps() int { return int(C.sleeps()) }

//export Locks
func Locks() int { return int(C.locks()) }

func main() {}
