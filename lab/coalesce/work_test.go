//go:build linux

package coalesce

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/wherrygo/wherry/coalesce"
)

// A work is something that programs do with a connection.
type work struct {
	name   string
	places []string
	ways   []string
	run    func(*bench) error
}

var works = []work{
	{"bulk", []string{"veth"}, allWays, toSink(bulk)},
	{"paced", []string{"50ms", "bad"}, []string{"default", "nagle", "bufio", "coalesce"}, toSink(paced)},
	{"pingpong", []string{"veth"}, []string{"default", "coalesce"}, func(b *bench) error { return request(b, 1) }},
	{"request2", []string{"veth", "bad", "bad-bbr"}, allWays,
		func(b *bench) error { return request(b, 2) }},
	{"request6", []string{"veth", "bad", "bad-bbr"}, allWays,
		func(b *bench) error { return request(b, 6) }},
	{"request20", []string{"bad", "bad-bbr"}, []string{"default", "bufio", "coalesce"}, func(b *bench) error { return request(b, 20) }},
	{"upload-http1", []string{"veth"}, []string{"default", "nagle", "bufio", "coalesce"}, func(b *bench) error { return upload(b, "http") }},
	{"upload-http2", []string{"veth"}, []string{"default", "nagle", "bufio", "coalesce"}, func(b *bench) error { return upload(b, "https") }},
	{"post-http2", []string{"veth", "50ms"}, []string{"default", "nagle", "coalesce"}, post},
	{"sendfile", []string{"veth"}, []string{"default", "coalesce"}, toSink(sendfile)},
	{"buffers", []string{"veth"}, []string{"default", "coalesce"}, toSink(buffers)},
}

// A bench is one measurement: one work, one way, at one place.
type bench struct {
	far, work, way, place, congestion string
	streams                           []*stream
	start                             snapshot
	line                              strings.Builder
}

func near(args []string) error {
	if len(args) != 5 {
		return errors.New("near: want address, work, way, place and congestion control")
	}
	b := &bench{far: args[0], work: args[1], way: args[2], place: args[3], congestion: args[4]}
	for _, w := range works {
		if w.name == b.work {
			if err := w.run(b); err != nil {
				return err
			}
			fmt.Println(b.line.String())
			return nil
		}
	}
	return fmt.Errorf("near: unknown work %q", b.work)
}

func (b *bench) report(value float64, unit string) {
	fmt.Fprintf(&b.line, " %.6g %s", value, unit)
}

func (b *bench) dial(port string) (*stream, error) {
	c, err := dialer(b.congestion).Dial("tcp", net.JoinHostPort(b.far, port))
	if err != nil {
		return nil, err
	}
	s, err := bind(b.way, c.(*net.TCPConn))
	if err == nil {
		b.streams = append(b.streams, s)
	}
	return s, err
}

// A snapshot is what the near end has used until now.
type snapshot struct {
	at       time.Time
	cpu      time.Duration
	calls    int64
	segments uint32
	retrans  uint32
}

func (b *bench) snapshot() (s snapshot, err error) {
	for _, stream := range b.streams {
		info, err := infoOf(stream.tcp)
		if err != nil {
			return s, err
		}
		s.segments += info.DataSegsOut
		s.retrans += info.Total_retrans
	}
	io, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return s, err
	}
	for _, line := range strings.Split(string(io), "\n") {
		fmt.Sscanf(line, "syscw: %d", &s.calls)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return s, err
	}
	s.cpu = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	s.at = time.Now()
	return s, nil
}

func (b *bench) begin() (err error) {
	b.start, err = b.snapshot()
	return err
}

// end reports what n bytes of payload have cost.
func (b *bench) end(n int64) error {
	s, err := b.snapshot()
	if err != nil {
		return err
	}
	mb := float64(n) / 1e6
	b.report(mb/s.at.Sub(b.start.at).Seconds(), "MB/s")
	b.report(float64(s.segments-b.start.segments)/mb, "packets/MB")
	b.report(float64(s.calls-b.start.calls)/mb, "calls/MB")
	b.report(float64((s.cpu-b.start.cpu).Microseconds())/1000/mb, "ms-cpu/MB")
	b.report(float64(s.retrans-b.start.retrans)/mb, "retrans/MB")
	return nil
}

// toSink is the work of writing to a sink, which says at the end how much arrived.
func toSink(write func(*stream) (sent int64, err error)) func(*bench) error {
	return func(b *bench) error {
		s, err := b.dial(sinkPort)
		if err != nil {
			return err
		}
		if err := b.begin(); err != nil {
			return err
		}
		sent, err := write(s)
		if err != nil {
			return err
		}
		if err := s.flush(); err != nil {
			return err
		}
		if err := s.Conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
			return err
		}
		var got int64
		if err := binary.Read(s.Conn, binary.BigEndian, &got); err != nil {
			return err
		}
		if got != sent {
			return fmt.Errorf("%d bytes arrived, want %d", got, sent)
		}
		return b.end(sent)
	}
}

// bulk writes 4 MB in 50-byte writes, as fast as it can.
func bulk(s *stream) (sent int64, err error) {
	for p := make([]byte, 50); sent < 4e6 && err == nil; sent += 50 {
		_, err = s.Write(p)
	}
	return sent, err
}

// paced writes 50 bytes every 100 us for a second and a half.
func paced(s *stream) (sent int64, err error) {
	runtime.LockOSThread()
	const setTimerSlack = 29
	syscall.RawSyscall(syscall.SYS_PRCTL, setTimerSlack, 1000, 0)
	p, start := make([]byte, 50), time.Now()
	for i := range 15000 {
		if wait := time.Until(start.Add(time.Duration(i) * 100 * time.Microsecond)); wait > 0 {
			rest := syscall.NsecToTimespec(int64(wait))
			syscall.Nanosleep(&rest, nil)
		}
		n, err := s.Write(p)
		if err != nil {
			return sent, err
		}
		sent += int64(n)
	}
	return sent, nil
}

// sendfile copies a file of 64 MB.
func sendfile(s *stream) (int64, error) {
	file, err := os.CreateTemp("", "coalesce")
	if err != nil {
		return 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := file.Truncate(64 << 20); err != nil {
		return 0, err
	}
	return io.Copy(s.Conn, file)
}

// buffers writes 64 MB by writev: a header and four pieces of 8 KB each time.
func buffers(s *stream) (sent int64, err error) {
	head, piece := make([]byte, 100), make([]byte, 8<<10)
	for sent < 64<<20 && err == nil {
		list := net.Buffers{head, piece, piece, piece, piece}
		var n int64
		if c, ok := s.Conn.(*coalesce.Conn); ok {
			n, err = c.WriteBuffers(&list)
		} else {
			n, err = list.WriteTo(s.Conn)
		}
		sent += n
	}
	return sent, err
}
