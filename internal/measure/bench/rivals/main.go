// Rivals holds scenarios of `wherry bench` by packages of others, which the
// command measures when it runs in this repository.
package main

import (
	"slices"

	"github.com/wherrygo/wherry/internal/measure/probe"
)

func main() { probe.Main(slices.Concat(calls, tables)) }
