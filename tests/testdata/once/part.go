package m

// int part(int);
import "C"

func Part(n int) int { return int(C.part(C.int(n))) }
