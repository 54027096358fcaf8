//go:build !linux

package event

import (
	"sync/atomic"
	"time"
)

// Where there is no eventfd, futex or way to ask for a thread, a pipe wakes Go,
// waiting C threads look again every 0.2 ms, and the cell of a thread that ended
// in mid-post is not recovered.

func wipeOnFork([]byte) {}

func dropMemory([]byte) {} // not every system then reads zeros; Free unmaps

func canOrder() bool { return false }

var orderThreads = func() bool { return true }

func giveWay() {}

func wakeThreads(*atomic.Uint32) {}

func threadGone(int) bool { return false }

type clock struct{}

func newClock() clock { return clock{} }

func (clock) time(nanos uint64) time.Time { return time.Unix(0, int64(nanos)) }
