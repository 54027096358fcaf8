// Table makes the tables of BENCHMARKS.md from what a run kept:
//
//	table handles|direct|event|coalesce|inflight RAW.txt
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

var tables = map[string]func(*run) (string, error){
	"handles": handles, "direct": direct, "event": events, "coalesce": coalesce, "inflight": inflight,
}

func main() {
	text, err := table(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
	fmt.Println(strings.Trim(text, "\n"))
}

func table(args []string) (string, error) {
	switch {
	case len(args) == 2 && tables[args[0]] != nil:
		raw, err := os.ReadFile(args[1])
		if err != nil {
			return "", err
		}
		r, err := read(string(raw))
		if err == nil {
			var text string
			if text, err = tables[args[0]](r); err == nil {
				err = r.err
			}
			if err == nil {
				return text, nil
			}
		}
		return "", fmt.Errorf("%s: %w", args[1], err)
	}
	return "", errors.New("usage: table handles|direct|event|coalesce|inflight RAW.txt")
}
