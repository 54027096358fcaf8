// A package with functions of every mode that itself uses no predeclared name. NAME is the
// package's, TYPE the C type of its values.

package NAME

/*
#include <errno.h>
#include <stdlib.h>

struct pair { TYPE a, b; };

extern TYPE back_NAME(TYPE, TYPE);
extern struct pair backPair_NAME(struct pair);
extern void nest_NAME(void);

static TYPE fast(TYPE a, TYPE b) { return (void)a, b; }
static struct pair fastPair(struct pair p) { return (struct pair){p.b, p.a}; }
static void fastNothing(void) {}
static TYPE nocallback(TYPE a, TYPE b) { return (void)a, b; }
static struct pair nocallbackPair(struct pair p) { return (struct pair){p.b, p.a}; }
static void nocallbackNothing(void) {}
static TYPE reentrant(TYPE a, TYPE b) { return back_NAME(a, b); }
static struct pair reentrantPair(struct pair p) { return backPair_NAME(p); }
static int left;
static void reentrantNest(void) { if (left-- > 0) nest_NAME(); }
static void fastFill(void) { left = 3000; }
static void fastEmpty(void) { left = 1; }
*/
import "C"

//export back_NAME
func back_NAME(p0, p1 C.TYPE) C.TYPE { return p1 }

//export backPair_NAME
func backPair_NAME(a0 C.struct_pair) C.struct_pair { return C.struct_pair{a0.b, a0.a} }

//export nest_NAME
func nest_NAME() { C.reentrantNest() }

func Deep() { C.fastFill(); C.reentrantNest() }

func Use(say func(...interface{})) {
	for i := 0; i < 9; i++ {
		C.fastNothing()
		C.nocallbackNothing()
		C.fastEmpty()
		C.reentrantNest()
		say(C.fast(1, 2), C.fastPair(C.struct_pair{3, 4}))
		say(C.nocallback(5, 6), C.nocallbackPair(C.struct_pair{7, 8}))
		say(C.reentrant(9, 10), C.reentrantPair(C.struct_pair{11, 12}))
	}
}
