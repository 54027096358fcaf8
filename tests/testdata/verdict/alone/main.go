package main

import (
	"fmt"

	_ "example.com/m/other"
	"example.com/m/part"
)

func main() { fmt.Println(part.Use()) }
