//go:build linux && cgo && (amd64 || arm64)

package loader

/*
#include <errno.h>
#include <stdint.h>

static uintptr_t errno_offset(void) {
	char *thread;
#if defined(__x86_64__)
	__asm__("mov {%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(thread));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(thread));
#endif
	return (uintptr_t)((char *)&errno - thread);
}
*/
import "C"

// ErrnoOffset returns how far errno is from the pointer of each thread.
func ErrnoOffset() uintptr { return uintptr(C.errno_offset()) }
