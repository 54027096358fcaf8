package coalesce

import (
	"bytes"
	"net"
	"strings"
	"testing"
	"time"
)

// A gate lets one write through at a time, when it is told to.
type gate struct {
	net.Conn
	at   chan bool // a write has come
	pass chan bool
	took bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	g.at <- true
	<-g.pass
	return g.took.Write(p)
}
func (*gate) RemoteAddr() net.Addr             { return nil }
func (*gate) LocalAddr() net.Addr              { return nil }
func (*gate) SetWriteDeadline(time.Time) error { return nil }
func (*gate) Close() error                     { return nil }

// A large Write drains both buffers while a small one comes that does not fit
// into what is left of the newer one. The small one stays whole.
func TestSmallWriteStaysWholeBesideLarge(t *testing.T) {
	g := &gate{at: make(chan bool), pass: make(chan bool)}
	c := Wrap(g)
	older, newer := buffers.Get().(*buffer), buffers.Get().(*buffer)
	older.fill([]byte("older"), bufferSize)
	newer.fill(bytes.Repeat([]byte("n"), bufferSize-100), bufferSize)
	c.out, c.in = older, newer
	done := make(chan bool, 2)
	large, small := strings.Repeat("L", largeWrite), strings.Repeat("s", 400)
	go func() { write(t, c, large); done <- true }()
	<-g.at // the large one drains
	go func() { write(t, c, small); done <- true }()
	time.Sleep(20 * time.Millisecond)
	go func() {
		for {
			g.pass <- true
			<-g.at
		}
	}()
	<-done
	<-done
	for c.Stats().Buffered > 0 {
		time.Sleep(time.Millisecond)
	}
	want := "older" + strings.Repeat("n", bufferSize-100) + large + small
	if got := g.took.String(); got != want {
		t.Errorf("got %d bytes, want %d; the small write is whole: %v", len(got), len(want), strings.Contains(got, small))
	}
}
