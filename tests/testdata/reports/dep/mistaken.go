package dep

// static int three(void) { return 3; }
import "C"

//wherry:quick three
//wherry:cgo three [
//wherry:fast ESC7thr^e
//wherry:
//wherry:ESC]0;title three

// Three returns 3.
func Three() int { return int(C.three()) }
