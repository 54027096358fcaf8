package main

/*
static void out(int *p) { *p = 3; }
typedef struct handle handle;
static handle *begin(void) { return 0; }
static int use(handle *p) { return p == 0; }
*/
import "C"

func main() {
	var x C.int
	C.out(&x)
	C.use(C.begin())
}
