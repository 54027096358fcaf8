// Header writes wherry_event.h, as it belongs to this version of package event,
// to the file that is its argument, or to standard output:
//
//	//go:generate go run github.com/wherrygo/wherry/event/header wherry_event.h
package main

import (
	"fmt"
	"os"

	"github.com/wherrygo/wherry/event"
)

func main() {
	var err error
	switch len(os.Args) {
	case 1:
		_, err = os.Stdout.WriteString(event.Header)
	case 2:
		err = os.WriteFile(os.Args[1], []byte(event.Header), 0o666)
	default:
		err = fmt.Errorf("header: got %d arguments, want one, the file to write", len(os.Args)-1)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
