package main

/*
static int one(void) { return 1; }
static unsigned spin(unsigned n) { unsigned h = 1; for (unsigned i = 0; i < n; i++) h = h * 31 + (i ^ h >> 3); return h; }
*/
import "C"

import "os"

func main() {
	switch os.Args[1] {
	case "crosses":
		for range 20_000_000 {
			C.one()
		}
	case "spins":
		for range 300 {
			C.spin(1_000_000)
		}
	}
}
