package coalesce

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A breaking connection fails once, in the middle of a write, and would go on.
type breaking struct {
	net.Conn
	left atomic.Int64 // writes before that
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.left.Add(-1) != 0 {
		return b.Conn.Write(p)
	}
	n, err := b.Conn.Write(p[:rand.IntN(len(p)+1)])
	if err == nil {
		err = errBelow
	}
	return n, err
}

// A source is what one goroutine writes. A byte says whose it is and follows from
// its place, so the peer can tell what is missing, doubled, moved or torn.
type source struct {
	id    int
	sizes []int // of what was accepted, call by call
	sent  int
}

func (s *source) at(place int) byte {
	return byte(s.id)<<5 | byte(uint64(place)*0x9E3779B97F4A7C15>>59)
}

func (s *source) next(size int) []byte {
	p := make([]byte, size)
	for i := range p {
		p[i] = s.at(s.sent + i)
	}
	return p
}

func (s *source) accepted(n int) {
	s.sizes = append(s.sizes, n)
	s.sent += n
}

// follow checks what the peer got against what was accepted, and gives how many
// bytes of it have not come.
func follow(t *testing.T, got []byte, sources []*source) (missing int) {
	var place, call [8]int
	var s *source
	left := 0 // of the call that is coming
	for i, b := range got {
		switch id := int(b >> 5); {
		case id >= len(sources), left > 0 && s.id != id:
			t.Fatalf("byte %d is writer %d's, with %d more to come of another's", i, id, left)
		case left == 0:
			for s = sources[id]; left == 0; call[id]++ {
				if call[id] == len(s.sizes) {
					t.Fatalf("byte %d is one more of writer %d than were accepted", i, id)
				}
				left = s.sizes[call[id]]
			}
		}
		if want := s.at(place[s.id]); b != want {
			t.Fatalf("byte %d is %#x, want %#x, writer %d's byte %d", i, b, want, s.id, place[s.id])
		}
		place[s.id]++
		left--
	}
	for i, s := range sources {
		missing += s.sent - place[i]
	}
	return missing
}

// Several goroutines write in every way, others flush, read and change deadlines,
// the peer is slow or resets the connection, that below takes a part or fails, the
// collector works, and Close comes at any moment, twice. Nothing hangs. The peer has what
// was accepted, each call's bytes together and each goroutine's in order, but for what
// errors say was lost; after a reset, the beginning. WHERRY_STRESS sets how long.
func TestStress(t *testing.T) {
	limit := 3 * time.Second
	if text := os.Getenv("WHERRY_STRESS"); text != "" {
		var err error
		if limit, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var end atomic.Bool
	defer end.Store(true)
	go func() {
		var stats runtime.MemStats
		for !end.Load() {
			runtime.ReadMemStats(&stats) // stops the world
			time.Sleep(50 * time.Microsecond)
		}
	}()
	rounds, sent, lost := 0, 0, 0
	for begin := time.Now(); time.Since(begin) < limit && !t.Failed(); rounds++ {
		runtime.GOMAXPROCS(1 + rand.IntN(8))
		t.Run("", func(t *testing.T) {
			n, k := stress(t, []string{"tcp", "unix", "pipe", "stingy", "breaking", "reset"}[rounds%6])
			sent, lost = sent+n, lost+k
		})
	}
	t.Logf("%d rounds, %d bytes, of which %d told as lost", rounds, sent, lost)
}

func stress(t *testing.T, below string) (sent, missing int) {
	var near, far net.Conn
	switch below {
	case "unix":
		near, far = connect(t, "unix")
	case "pipe":
		near, far = net.Pipe()
	default:
		near, far = connect(t, "tcp")
		if rand.IntN(2) == 0 {
			near.(*net.TCPConn).SetWriteBuffer(16 << 10)
			far.(*net.TCPConn).SetReadBuffer(16 << 10)
		}
	}
	switch below {
	case "stingy":
		near = &stingy{Conn: near, random: rand.New(rand.NewPCG(rand.Uint64(), 1))}
	case "breaking":
		b := &breaking{Conn: near}
		b.left.Store(1 + rand.Int64N(100))
		near = b
	}
	c := Wrap(near, CloseWithin([]time.Duration{0, time.Millisecond, 20 * time.Second}[rand.IntN(3)]),
		Linger(time.Duration(rand.IntN(2))*longestLinger))
	if rand.IntN(2) == 0 { // as on a link of 8 ms
		c.local = false
		c.burst.measured, c.burst.linger = now()+time.Hour, time.Millisecond
	}

	read := make(chan []byte)
	go func() {
		var got []byte
		buffer := make([]byte, 64<<10)
		for {
			n, err := far.Read(buffer[:1+rand.IntN(len(buffer))])
			got = append(got, buffer[:n]...)
			if below == "reset" && len(got) > 50_000 {
				far.(*net.TCPConn).SetLinger(0)
				far.Close()
				read <- got
				return
			}
			if err != nil {
				if err != io.EOF {
					t.Errorf("%s: the peer: %v", below, err)
				}
				read <- got
				return
			}
			if rand.IntN(20) == 0 {
				time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
			}
		}
	}()

	var told atomic.Int64 // bytes that errors say were lost
	tell := func(err error) {
		var unsent *UnsentError
		if errors.As(err, &unsent) {
			told.Add(int64(unsent.Bytes))
		}
	}
	var writers, others sync.WaitGroup
	sources := make([]*source, 4)
	ends := []error{net.ErrClosed, io.ErrClosedPipe, errBelow}
	if below == "reset" {
		ends = append(ends, syscall.ECONNRESET, syscall.EPIPE)
	}
	for id := range sources {
		s := &source{id: id}
		sources[id] = s
		writers.Add(1)
		go func() {
			defer writers.Done()
			for {
				p := s.next([]int{1 + rand.IntN(300), 1 + rand.IntN(300), 1 + rand.IntN(300), 1 + rand.IntN(30_000)}[rand.IntN(4)])
				var n int64
				var err error
				switch rand.IntN(10) {
				case 0:
					n, err = c.WriteBuffers(&net.Buffers{p[:len(p)/3], p[len(p)/3:]})
				case 1:
					n, err = c.ReadFrom(bytes.NewReader(p))
				default:
					var k int
					k, err = c.Write(p)
					n = int64(k)
				}
				s.accepted(int(n))
				tell(err)
				switch {
				case err == nil && int(n) != len(p):
					t.Errorf("%s: %d of %d bytes without an error", below, n, len(p))
					return
				case err != nil && !isTimeout(err) && !slices.ContainsFunc(ends, func(end error) bool { return errors.Is(err, end) }):
					t.Errorf("%s: %v", below, err)
					return
				case err != nil && !isTimeout(err):
					return
				}
				if rand.IntN(30) == 0 {
					time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
				}
			}
		}()
	}
	stop := make(chan bool)
	for _, other := range []func(){
		func() { tell(c.Flush()) },
		func() { c.SetReadDeadline(time.Now().Add(time.Millisecond)); c.Read(make([]byte, 1)) },
		func() { c.SetWriteDeadline(time.Now().Add(time.Duration(rand.IntN(300)) * time.Microsecond)) },
		func() { c.SetWriteDeadline(time.Unix(1, 0)); c.SetWriteDeadline(time.Time{}) },
		func() { c.SetDeadline(time.Time{}); c.Stats() },
		func() { _, err := c.Write(nil); tell(err) }, // an earlier error is reported once
	} {
		others.Add(1)
		go func() {
			defer others.Done()
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(rand.IntN(500)) * time.Microsecond):
					other()
				}
			}
		}()
	}
	time.Sleep(time.Duration(rand.IntN(30_000)) * time.Microsecond)
	closed := make(chan error)
	for range 2 {
		go func() { closed <- c.Close() }()
	}
	tell(<-closed)
	tell(<-closed)
	writers.Wait()
	close(stop)
	others.Wait()
	got := <-read
	missing = follow(t, got, sources)
	if below == "reset" {
		return len(got) + missing, missing // what the kernel had is lost too
	}
	if int64(missing) != told.Load() {
		t.Errorf("%s: %d bytes have not come, errors say %d", below, missing, told.Load())
	}
	if s := c.Stats(); s.Bytes != int64(len(got)) || s.Buffered != 0 {
		t.Errorf("%s: %d bytes came, %+v", below, len(got), s)
	}
	return len(got) + missing, missing
}
