//go:build unix

package handles

import (
	"syscall"
	"time"
)

// cpuTime is what all threads of this process have used. On a machine that
// others use too it says more about two goroutines than the clock on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
