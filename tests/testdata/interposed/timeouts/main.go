// Functions that read and write sockets with a time limit, and one that waits for a signal: through cgo
// none of them fails because of a signal of the runtime.
package main

/*
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

extern int __sigsuspend(const sigset_t *), __dprintf_chk(int, int, const char *, ...), __vdprintf_chk(int, int, const char *, va_list);
extern int _IO_getc(FILE *), _IO_putc(int, FILE *), __isoc99_fscanf(FILE *, const char *, ...);
extern ssize_t __getdelim(char **, size_t *, int, FILE *);

static int ends[2];
static FILE *f; // of ends[0]
static char text[16];
static wchar_t wide[16];
static struct iovec part = {text, 1};

static int through(int (*print)(const char *, va_list), const char *format, ...) {
	va_list list;
	va_start(list, format);
	int result = print(format, list);
	va_end(list);
	return result;
}
static int vd(const char *format, va_list list) { return vdprintf(ends[0], format, list); }
static int vd_chk(const char *format, va_list list) { return __vdprintf_chk(ends[0], 1, format, list); }
static int vfs(const char *format, va_list list) { return vfscanf(f, format, list); }

// Each is called by one of its own: wherry learns which functions wait.
static int preadv2_(void) { return (void)(preadv2(ends[0], &part, 1, -1, 0)), errno; }
static int preadv64v2_(void) { return (void)(preadv64v2(ends[0], &part, 1, -1, 0)), errno; }
static int pwritev2_(void) { return (void)(pwritev2(ends[0], &part, 1, -1, 0)), errno; }
static int pwritev64v2_(void) { return (void)(pwritev64v2(ends[0], &part, 1, -1, 0)), errno; }
static int dprintf_(void) { return (void)(dprintf(ends[0], "hello %d", 5)), errno; }
static int dprintf_chk_(void) { return (void)(__dprintf_chk(ends[0], 1, "hello %d", 5)), errno; }
static int vdprintf_(void) { return (void)(through(vd, "hello %d", 5)), errno; }
static int vdprintf_chk_(void) { return (void)(through(vd_chk, "hello %d", 5)), errno; }
static int fscanf_(void) { return (void)(fscanf(f, "%8s", text)), errno; }
static int isoc99_(void) { return (void)(__isoc99_fscanf(f, "%8s", text)), errno; }
static int vfscanf_(void) { return (void)(through(vfs, "%8s", text)), errno; }
static int getc_(void) { return (void)(_IO_getc(f)), errno; }
static int fgetwc_(void) { return (void)(fgetwc(f)), errno; }
static int getwc_(void) { return (void)(getwc(f)), errno; }
static int fgetws_(void) { return (void)(fgetws(wide, 5, f) != NULL), errno; }
static int getdelim_(void) { return (void)(__getdelim(&(char *){NULL}, &(size_t){0}, '\n', f)), errno; }
static int putc_(void) { return (void)(_IO_putc('x', f)), errno; }
static int fputwc_(void) { return (void)(fputwc(L'x', f)), errno; }
static int putwc_(void) { return (void)(putwc(L'x', f)), errno; }
static int fputws_(void) { return (void)(fputws(L"abc", f)), errno; }
static int fwprintf_(void) { return (void)(fwprintf(f, L"abc")), errno; }
static int fflush_unlocked_(void) { return (void)(fflush_unlocked(f)), errno; }
static int fseek_(void) { return (void)(fseek(f, 0, SEEK_SET)), errno; }
static int fseeko_(void) { return (void)(fseeko(f, 0, SEEK_SET)), errno; }
static int fseeko64_(void) { return (void)(fseeko64(f, 0, SEEK_SET)), errno; }
static int rewind_(void) { return (void)((rewind(f), 0)), errno; }
static int setvbuf_(void) { return (void)(setvbuf(f, NULL, _IONBF, 0)), errno; }

static void fill(int fd) {
	char block[4096] = {0};
	while (send(fd, block, sizeof block, MSG_DONTWAIT) > 0);
	while (send(fd, block, 1, MSG_DONTWAIT) > 0);
}

// begin opens a pair of sockets, of which nothing can be read, or to which nothing can be written, without a
// buffer or with one.
static void begin(char how) {
	struct timeval limit = {0, 80000};
	socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
	setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
	f = fdopen(ends[0], how == 'r' ? "r" : "w");
	if (how == 'w')
		setvbuf(f, NULL, _IONBF, 0);
	if (how == 'b')
		fputs("abc", f);
	if (how != 'r')
		fill(ends[0]);
	errno = 0;
}

static void end(void) {
	fclose(f);
	close(ends[1]);
}

static volatile int came;
static void on_signal(int sig) { came = sig; }

static void *sends(void *to) {
	usleep(150000);
	pthread_kill(*(pthread_t *)to, SIGUSR1);
	return NULL;
}

static pthread_t self, other;
static void prepare(void) {
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &act, NULL);
	self = pthread_self();
	pthread_create(&other, NULL, sends, &self);
}

static int suspends(void) {
	sigset_t none;
	sigemptyset(&none);
	__sigsuspend(&none);
	return came == SIGUSR1;
}

static void done(void) { pthread_join(other, NULL); }
*/
import "C"

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

var all = []struct {
	name string
	how  C.char
	f    func() C.int
}{
	{"preadv2", 'r', func() C.int { return C.preadv2_() }},
	{"preadv64v2", 'r', func() C.int { return C.preadv64v2_() }},
	{"pwritev2", 'w', func() C.int { return C.pwritev2_() }},
	{"pwritev64v2", 'w', func() C.int { return C.pwritev64v2_() }},
	{"dprintf", 'w', func() C.int { return C.dprintf_() }},
	{"dprintf_chk", 'w', func() C.int { return C.dprintf_chk_() }},
	{"vdprintf", 'w', func() C.int { return C.vdprintf_() }},
	{"vdprintf_chk", 'w', func() C.int { return C.vdprintf_chk_() }},
	{"fscanf", 'r', func() C.int { return C.fscanf_() }},
	{"isoc99", 'r', func() C.int { return C.isoc99_() }},
	{"vfscanf", 'r', func() C.int { return C.vfscanf_() }},
	{"getc", 'r', func() C.int { return C.getc_() }},
	{"fgetwc", 'r', func() C.int { return C.fgetwc_() }},
	{"getwc", 'r', func() C.int { return C.getwc_() }},
	{"fgetws", 'r', func() C.int { return C.fgetws_() }},
	{"getdelim", 'r', func() C.int { return C.getdelim_() }},
	{"putc", 'w', func() C.int { return C.putc_() }},
	{"fputwc", 'w', func() C.int { return C.fputwc_() }},
	{"putwc", 'w', func() C.int { return C.putwc_() }},
	{"fputws", 'w', func() C.int { return C.fputws_() }},
	{"fwprintf", 'w', func() C.int { return C.fwprintf_() }},
	{"fflush_unlocked", 'b', func() C.int { return C.fflush_unlocked_() }},
	{"fseek", 'b', func() C.int { return C.fseek_() }},
	{"fseeko", 'b', func() C.int { return C.fseeko_() }},
	{"fseeko64", 'b', func() C.int { return C.fseeko64_() }},
	{"rewind", 'b', func() C.int { return C.rewind_() }},
	{"setvbuf", 'b', func() C.int { return C.setvbuf_() }},
}

func main() {
	runtime.LockOSThread()
	go func() {
		for {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	for _, function := range all {
		C.begin(function.how)
		fmt.Println(function.name, syscall.Errno(function.f()))
		C.end()
	}
	C.prepare()
	fmt.Println("__sigsuspend", C.suspends())
	C.done()
}
