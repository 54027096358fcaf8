package main

// int part(int), value(void);
import "C"

func main() { println(C.part(1), C.value()) }
