// A library for a host program, which may have a static C library.
package main

/*
#include <errno.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int nap(void) {
	pthread_mutex_lock(&mutex);
	int result = usleep(1000); // in a plain program, too, a late signal of the runtime's ends it now and then
	if (result == -1 && errno == EINTR) result = 0;
	pthread_mutex_unlock(&mutex);
	return result;
}
static int add(int a, int b) { return a + b; }
*/
import "C"

//export Work
func Work(n C.int) C.int { return C.add(n, C.nap()) }

func main() {}
