// Goes to the packages in which error is an error.

package NAME

/*
#include <errno.h>
#include <stdlib.h>

extern void backErrno_NAME(void);
static int fastErrno(int e) { errno = e; return -e; }
static int nocallbackErrno(int e) { errno = e; return -e; }
static void nocallbackErrnoOnly(void) { errno = 3; }
static int reentrantErrno(int e) { backErrno_NAME(); errno = e; return -e; }
static void reentrantErrnoOnly(void) { backErrno_NAME(); errno = 4; }
*/
import "C"

//export backErrno_NAME
func backErrno_NAME() {}

func UseErrno(say func(...interface{})) {
	for i := 0; i < 9; i++ {
		r, err := C.fastErrno(1)
		say(r, err)
		r, err = C.nocallbackErrno(2)
		say(r, err)
		_, err = C.nocallbackErrnoOnly()
		say(err)
		r, err = C.reentrantErrno(5)
		say(r, err)
		_, err = C.reentrantErrnoOnly()
		say(err)
		C.free(C.malloc(8))
	}
}
