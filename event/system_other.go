//go:build !unix

package event

import (
	"sync/atomic"
	"time"
)

func mapMemory(int) ([]byte, error) { return nil, ErrUnsupported }

func unmapMemory([]byte) error { return nil }

func wipeOnFork([]byte) {}

func dropMemory([]byte) {}

func makeWaker() (waker, error) { return waker{}, ErrUnsupported }

func writeWaker(int) {}

func canOrder() bool { return false }

func orderThreads() {}

func giveWay() {}

func wakeThreads(*atomic.Uint32) {}

func threadGone(int) bool { return false }

type clock struct{}

func newClock() clock { return clock{} }

func (clock) time(uint64) time.Time { return time.Time{} }
