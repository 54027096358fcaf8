package main

/*
extern void goVisited(void);
static void visit(void) { for (;;) goVisited(); }
*/
import "C"

import (
	"syscall"
	"time"
)

//export goVisited
func goVisited() {}

// visits gets a signal while C calls Go back all the time.
func visits() {
	go C.visit()
	time.Sleep(20 * time.Millisecond)
	syscall.Kill(syscall.Getpid(), syscall.SIGABRT)
	time.Sleep(time.Minute)
}
