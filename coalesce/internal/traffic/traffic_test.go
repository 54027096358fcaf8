package traffic

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/coalesce/internal/sockdiag"
)

// The test binary also plays the program that is watched.
func TestMain(m *testing.M) {
	if way := os.Getenv("WHERRY_SENDER"); way != "" {
		send(way)
		os.Exit(7)
	}
	os.Exit(m.Run())
}

func send(way string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	peer, err := l.Accept()
	if err != nil {
		panic(err)
	}
	switch way {
	case "small":
		go io.Copy(io.Discard, peer)
		start, writes := time.Now(), 0
		for ; time.Since(start) < 300*time.Millisecond; writes++ {
			c.Write(make([]byte, 50))
			for wait := time.Now(); time.Since(wait) < 20*time.Microsecond; {
			}
		}
		fmt.Println(writes, time.Since(start).Milliseconds())
	case "pingpong":
		go io.Copy(peer, peer)
		for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
			c.Write(make([]byte, 50))
			io.ReadFull(c, make([]byte, 50))
		}
	}
	time.Sleep(50 * time.Millisecond)
}

// watch runs the sender under a shell, so that it is not a direct child. It gives
// what the sender prints, too.
func watch(t *testing.T, way string) (c Connection, output string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", `"$0"; exit $?`, os.Args[0])
	cmd.Env = append(os.Environ(), "WHERRY_SENDER="+way)
	var stdout strings.Builder
	cmd.Stdout = &stdout
	seen, program, err := Run(cmd, 10*time.Millisecond)
	var u *sockdiag.Unavailable
	if errors.As(err, &u) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if !errors.As(program, &exit) || exit.ExitCode() != 7 {
		t.Errorf("the program ended with %v, want exit status 7", program)
	}
	for _, c := range seen.Connections {
		if c.Packets >= enough {
			return c, stdout.String()
		}
	}
	t.Fatalf("saw %+v", seen)
	return Connection{}, ""
}

func TestSmallWritesAreFound(t *testing.T) {
	for range 20 {
		c, output := watch(t, "small")
		var writes, took int64
		if _, err := fmt.Sscan(output, &writes, &took); err != nil {
			t.Fatalf("%v: %q", err, output)
		}
		if c.Bytes != 50*writes || c.Packets > writes || c.SmallShare < 0.5 {
			t.Errorf("got %+v, want %d writes of 50 bytes", c, writes)
		}
		// On a busy machine the sender pauses, and it is right to say so. At this pace
		// what coalesce lets through is less than half: at most 2 packets in a
		// millisecond, by the shortest linger and the shortest gap.
		if c.Packets >= 5*took {
			if !c.Helps {
				t.Errorf("got %+v in %d ms, want that coalescing helps", c, took)
			}
			return
		}
	}
	t.Skip("this machine is so busy that the sender pauses")
}

func TestPingPongIsNot(t *testing.T) {
	c, _ := watch(t, "pingpong")
	if c.Helps || !strings.Contains(c.Explanation, "answer") && !strings.Contains(c.Explanation, "pauses") {
		t.Errorf("got %+v, want that packets wait for answers", c)
	}
}

// kernel plays back what a kernel would say.
type kernel struct {
	looks [][]sockdiag.Socket
	ended []sockdiag.Socket
}

func (k *kernel) Sockets() ([]sockdiag.Socket, error) {
	now := k.looks[0]
	k.looks = k.looks[1:]
	return now, nil
}

func (k *kernel) Ended() (e []sockdiag.Socket) { e, k.ended = k.ended, nil; return e }

// Verdicts from figures that are known.
func TestVerdicts(t *testing.T) {
	socket := func(rtt time.Duration, out, in, bytes int64) sockdiag.Socket {
		return sockdiag.Socket{Cookie: 1, Inode: 2, Segment: 1448, RTT: rtt, DataOut: out, DataIn: in, BytesOut: bytes,
			Local: netip.MustParseAddrPort("10.0.0.1:1"), Remote: netip.MustParseAddrPort("10.0.0.2:2")}
	}
	for name, test := range map[string]struct {
		end   sockdiag.Socket
		took  time.Duration
		helps bool
		says  string
		after int64
		small float64
	}{
		"stream of 50 bytes": {socket(50*time.Millisecond, 10000, 0, 500000), time.Second, true, "yes", 345, 0.93},
		"full":               {socket(time.Millisecond, 1000, 0, 1448000), time.Second / 10, false, "full", 1000, 0},
		"answers":            {socket(time.Millisecond, 1000, 1000, 50000), time.Second / 2, false, "answer", 1000, 0.93},
		"six writes":         {socket(time.Millisecond, 6000, 1000, 300000), time.Second, true, "yes", 1000, 0.93},
		"pauses":             {socket(time.Millisecond, 1000, 0, 50000), 10 * time.Second, false, "pauses", 1000, 0.93},
		"few":                {socket(time.Millisecond, 50, 0, 50), time.Second / 100, false, "only 50", 1, 0.99},
		"one":                {socket(time.Millisecond, 1, 0, 50), time.Second / 100, false, "only 1 packet", 1, 0.93},
		"nothing":            {socket(time.Millisecond, 0, 9, 0), time.Second, false, "nothing", 0, 0},
	} {
		k := &kernel{looks: [][]sockdiag.Socket{{{Cookie: 9, Inode: 9}, socket(0, 0, 0, 0)}, nil}, ended: nil}
		w := NewWatch(k, func() map[uint32]bool { return map[uint32]bool{2: true} })
		start := time.Unix(1000, 0)
		if err := w.Look(start); err != nil {
			t.Fatal(err)
		}
		k.ended = []sockdiag.Socket{test.end} // the last figures come with the end
		if err := w.Look(start.Add(test.took)); err != nil {
			t.Fatal(err)
		}
		list := w.Connections()
		if len(list) != 1 {
			t.Fatalf("%s: got %+v, want one connection", name, list)
		}
		c := list[0]
		if c.Helps != test.helps || !strings.Contains(c.Explanation, test.says) || c.AfterAbout != test.after || c.SmallShare < test.small ||
			c.SmallShare > test.small+0.07 {
			t.Errorf("%s: got %+v, want %+v", name, c, test)
		}
	}
}

func TestReport(t *testing.T) {
	var text bytes.Buffer
	list := []Connection{{Local: "a", Remote: "b", Packets: 200, Bytes: 10000, Segment: 1448, SmallShare: 0.935, Explanation: "yes: so"}}
	if err := WriteText(&text, Report{Connections: list}); err != nil || !strings.Contains(text.String(), "50 of 1448") ||
		!strings.Contains(text.String(), ">= 94 %") {
		t.Errorf("got %s, %v", text.String(), err)
	}
	text.Reset()
	if err := WriteText(&text, Report{}); err != nil || !strings.Contains(text.String(), "no TCP connection") {
		t.Errorf("got %s, %v", text.String(), err)
	}
	text.Reset()
	if err := WriteJSON(&text, Report{Connections: []Connection{}}); err != nil || text.String() != "{\"connections\":[]}\n" {
		t.Errorf("got %s, %v", text.String(), err)
	}
	hidden := Report{Connections: []Connection{}, Hidden: []string{"12 (ping)"}}
	text.Reset()
	if err := WriteText(&text, hidden); err != nil || !strings.Contains(text.String(), "process 12 (ping)") ||
		strings.Contains(text.String(), "no TCP connection") {
		t.Errorf("got %s, %v", text.String(), err)
	}
	text.Reset()
	if err := WriteJSON(&text, hidden); err != nil || text.String() != "{\"connections\":[],\"hidden\":[\"12 (ping)\"]}\n" {
		t.Errorf("got %s, %v", text.String(), err)
	}
}
