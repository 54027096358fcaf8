// The part of the stress program that calls C by package direct.

package main

/*
#include <errno.h>
#include <stddef.h>
#include <unistd.h>
extern int visit(int);
static int boundNap(int us) { usleep(us); errno = us; return us; }
static unsigned boundSpin(unsigned n) { unsigned h = 1; for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3); return h; }
static int (*boundVisit)(int) = visit;
static void visitBy(void *f) { boundVisit = f; }
static int boundThrough(int n) { return boundVisit(n); }
static long boundSum(const unsigned char *p, long n, long wait) {
	long s = 0;
	if (wait) usleep(wait);
	while (n--) s += *p++;
	return s;
}
static double boundMany(double x, signed char a, long b, long c, long d, long e, long f, const unsigned char *p, long n) {
	usleep(b);
	return x + a + c + d + e + f + boundSum(p, n, 1);
}
static long boundEach(int n, int wait, long (*f)(long)) {
	long s = 0;
	for (int i = 0; i < n; i++) {
		if (wait && i % 8 == 0) usleep(wait);
		s += f(i);
	}
	return s;
}
static void *address(int i) {
	void *all[] = {boundNap, boundSpin, boundThrough, boundSum, boundMany, boundEach};
	return all[i];
}
*/
import "C"

import (
	"bytes"
	"os"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

var plusOne, _ = callback.New(func(i int64) int64 { return i + 1 })

var (
	nap     = direct.MustBind[func(int32) (int32, direct.Errno)](C.address(0))
	spin    = direct.MustBind[func(uint32) uint32](C.address(1))
	through = direct.MustBind[func(int32) int32](C.address(2))
	sum     = direct.MustBind[func([]byte, int64) int64](C.address(3))
	each    = direct.MustReentrant[func(n, wait int32, f unsafe.Pointer) int64](C.address(5))
	many    = direct.MustBind[func(x float64, a int8, b, c, d, e, f int64, p string) float64](C.address(4))
)

func init() {
	if os.Getenv("BOUND") == "pointers" { // the plain go command has built this
		f, err := callback.New(func(n int32) int32 { return int32(visit(C.int(n))) })
		check(err == nil, "callback %v", err)
		C.visitBy(f.Pointer())
	}
	boundCalls = func(n int, next func(int) int) {
		p := bytes.Repeat([]byte{byte(n)}, 1+n)
		want := int64(byte(n)) * int64(len(p))
		switch next(6) {
		case 0:
			got, errno := nap(int32(n % 50))
			check(got == int32(n%50) && int(errno) == n%50, "bound nap %d %d", got, errno)
		case 1:
			h := uint32(1)
			for i := range uint32(n * 100) {
				h = h*31 + (i ^ h>>3)
			}
			check(spin(uint32(n*100)) == h, "bound spin")
		case 2:
			check(through(int32(n)) == int32(n+n%60), "bound through(%d)", n)
		case 3:
			check(sum(p, int64(n%30)) == want, "bound sum")
		case 4:
			check(many(0.5, -1, int64(n%30), 2, 3, 4, 5, string(p)) == float64(want)+13.5, "bound many")
		case 5:
			f, err := callback.New(func(i int64) int64 {
				if i%16 == 3 {
					return each(2, int32(i%2), plusOne.Pointer()) + int64(visit(C.int(i))) - i - i%60
				}
				return int64(len(p))
			})
			check(err == nil, "callback %v", err)
			got := each(int32(n%40), int32(n%3), f.Pointer())
			f.Release()
			want := int64(n%40) * int64(len(p))
			for i := 3; i < n%40; i += 16 {
				want += 3 - int64(len(p))
			}
			check(got == want, "reentrant %d: got %d, want %d", n, got, want)
		}
	}
}
