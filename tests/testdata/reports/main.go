package main

import (
	"fmt"

	"example.com/dep"
)

func main() { fmt.Println(dep.One(), dep.Two(), dep.Three()) }
