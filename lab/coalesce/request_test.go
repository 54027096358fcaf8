//go:build linux

package coalesce

import (
	"encoding/binary"
	"io"
	"slices"
	"time"
)

// request sends messages made of k writes and waits for each answer.
func request(b *bench, k int) error {
	s, err := b.dial(requestPort)
	if err != nil {
		return err
	}
	count := 20000
	if b.place != "veth" {
		count = 40
	}
	if k > 1 && b.way == "nagle" {
		count = min(count, 40) // each takes 44 ms
	}
	p, reply := make([]byte, 50), make([]byte, 50)
	if err := binary.Write(s.tcp, binary.BigEndian, uint32(50*k)); err != nil {
		return err
	}
	return b.repeat(count, func() error {
		for range k {
			if _, err := s.Write(p); err != nil {
				return err
			}
		}
		if err := s.flush(); err != nil {
			return err
		}
		_, err := io.ReadFull(s.Conn, reply)
		return err
	})
}

// repeat does a request a few times, and then measures it so many times.
func (b *bench) repeat(count int, once func() error) error {
	for range 5 {
		if err := once(); err != nil {
			return err
		}
	}
	if err := b.begin(); err != nil {
		return err
	}
	times := make([]time.Duration, count)
	for i := range times {
		start := time.Now()
		if err := once(); err != nil {
			return err
		}
		times[i] = time.Since(start)
	}
	s, err := b.snapshot()
	if err != nil {
		return err
	}
	n := float64(len(times))
	slices.Sort(times)
	b.report(float64(times[len(times)/2].Nanoseconds())/1000, "p50-us")
	b.report(float64(times[len(times)*99/100].Nanoseconds())/1000, "p99-us")
	b.report(float64(s.segments-b.start.segments)/n, "packets/op")
	b.report(float64(s.calls-b.start.calls)/n, "calls/op")
	b.report(float64((s.cpu-b.start.cpu).Microseconds())/n, "us-cpu/op")
	b.report(float64(s.retrans-b.start.retrans)/n, "retrans/op")
	return nil
}
