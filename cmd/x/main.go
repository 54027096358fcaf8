package main

import (
	"fmt"
	"os"
	"time"

	"github.com/wherrygo/wherry/check"
)

func main() {
	t := time.Now()
	p, err := check.Open(os.Args[1], check.Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	t1 := time.Since(t)
	names := os.Args[2:]
	if len(names) == 0 {
		names = p.Functions()
	}
	if len(names) > 0 && names[0] == "-all" {
		names = p.AllFunctions()
	}
	rs, err := p.Check(names...)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	t2 := time.Since(t)
	n := map[check.Verdict]int{}
	for _, r := range rs {
		n[r.Verdict]++
		fmt.Println(r.Name, r.Verdict, r.Stack, r.Loops, r.Notes)
		for _, h := range r.Hazards {
			fmt.Print("   ", h.Class, ": ")
			for _, f := range h.Path {
				fmt.Print(f.Function, " ", f.Where(), " ")
			}
			fmt.Printf("%s (%#x)\n", h.Detail, h.Path[len(h.Path)-1].Site)
		}
	}
	fmt.Println(n, t1, t2, p.Missing())
}
