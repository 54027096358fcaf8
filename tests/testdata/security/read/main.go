package main

/*
#cgo LDFLAGS: -lm
#include <math.h>
#include "part.h"
*/
import "C"

import (
	"fmt"

	"example.com/dep"
	"example.com/m/pure"
)

func main() { fmt.Println(C.part(2), C.floor(2.5), dep.Half(4), pure.Pure) }
