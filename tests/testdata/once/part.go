package m

// int part(int);
import "C"

import "example.com/m/shared"

func Part(n int) int { return int(C.part(C.int(n))) + shared.Zero }
