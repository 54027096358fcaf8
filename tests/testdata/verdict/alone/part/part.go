package part

/*
#cgo LDFLAGS: ${SRCDIR}/libpart.a -lm
#include <math.h>
int part_add(int a, int b);
int part_needs(int n);
int part_data(void);
long part_raw(void);
static double sine(double x) { return sin(x); }
*/
import "C"

import "runtime"

func Use() (int, int, int, float64, bool, int64) {
	before := runtime.NumCgoCall()
	a, b, c, d, e := C.part_add(1, 2), C.part_needs(3), C.part_data(), C.sine(0), C.part_raw()
	return int(a), int(b), int(c), float64(d), e > 0, runtime.NumCgoCall() - before
}
