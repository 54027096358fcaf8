package part

// #cgo LDFLAGS: -L${SRCDIR}/.. -lpart -Wl,-rpath,${SRCDIR}/..
// int part(int n);
import "C"

func Part(n int) int { return int(C.part(C.int(n))) }
