package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wherrygo/wherry/internal/temporary"
)

// endingSignals end a build. A command that runs in wherry's place has them too, and wherry waits
// for its end. What whoever started wherry has ignored (nohup, a script's &) stays ignored.
var endingSignals = slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)

// untilEnded returns a context that ends by these signals.
func untilEnded() (context.Context, func()) {
	if len(endingSignals) == 0 { // to package signal that means all
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), endingSignals...)
}

// waitsFor is the number of commands that wherry waits for, and endedBy the signal that has ended
// the last, or 0.
var waitsFor, endedBy atomic.Int32

// isEnding says that a signal ends wherry, whatever else does.
var isEnding atomic.Bool

// leaveNothing has a signal take away what a build has in the folder for temporary files.
func leaveNothing() {
	if len(endingSignals) == 0 {
		return
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endingSignals...)
	go func() {
		for s := range signals {
			if waitsFor.Load() > 0 {
				continue
			}
			isEnding.Store(true)
			hideSteps()
			for range 3 { // what has the same signal ends meanwhile, and what has not by itself
				time.Sleep(50 * time.Millisecond)
				temporary.End()
			}
			dieOf(s.(syscall.Signal))
		}
	}()
}

// end ends wherry: by a signal, if one has ended the command in whose place it was, so that a shell
// does not go on with its script.
func end(status int) {
	if isEnding.Load() {
		time.Sleep(time.Second)
	}
	s := syscall.Signal(endedBy.Load())
	for _, ending := range endingSignals {
		if s == ending && status == 128+int(s) {
			dieOf(s)
		}
	}
	os.Exit(status)
}

func dieOf(s syscall.Signal) {
	signal.Reset(s)
	if self, err := os.FindProcess(os.Getpid()); err == nil && self.Signal(s) == nil {
		time.Sleep(time.Second)
	}
	os.Exit(128 + int(s))
}
