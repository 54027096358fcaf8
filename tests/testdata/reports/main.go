package main

import (
	"fmt"

	"example.com/dep"
)

func main() { fmt.Println(dep.Two()) }
