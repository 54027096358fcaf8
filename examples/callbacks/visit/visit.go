// Package visit measures what a callback costs: C calls a Go function that does next
// to nothing.
package visit

/*
extern int goVisit(int);
extern int goDeeper(int);

// visit calls Go n times.
static int visit(int n) {
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += goVisit(i);
	return sum;
}

static int deeper(int n) { return goDeeper(n) + 1; }
static int next(int n)   { return n + 1; }
*/
import "C"

// visit lets C call Go n times; it gives 1 + 2 + ... + n.
func visit(n int) int { return int(C.visit(C.int(n))) }

//export goVisit
func goVisit(i C.int) C.int { return i + 1 }

// roundTrip goes Go - C - Go - C and back; it gives n + 2.
func roundTrip(n int32) int32 { return int32(C.deeper(C.int(n))) }

//export goDeeper
func goDeeper(n C.int) C.int { return C.next(n) }
