//go:build linux

package link

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/coalesce"
)

// The test binary also plays the two ends.
func TestMain(m *testing.M) {
	switch os.Getenv("WHERRY_LINK_END") {
	case "far":
		end(far())
	case "near":
		end(near())
	}
	os.Exit(m.Run())
}

func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// far answers each connection with the hash of what it read.
func far() error {
	l, err := net.Listen("tcp", "10.99.0.2:7000")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		hash := sha256.New()
		if _, err := io.Copy(hash, c); err != nil {
			return err
		}
		c.Write(hash.Sum(nil))
		c.Close()
	}
}

// near says how long connecting takes, and writes small pieces at random times
// through package coalesce.
func near() error {
	start := time.Now()
	plain, err := net.Dial("tcp", "10.99.0.2:7000")
	if err != nil {
		return err
	}
	fmt.Println(time.Since(start).Milliseconds())
	c := coalesce.Wrap(plain)
	c.SetDeadline(time.Now().Add(time.Minute))
	random := rand.New(rand.NewPCG(1, 2))
	hash := sha256.New()
	for range 3000 {
		p := make([]byte, 1+random.IntN(300))
		for i := range p {
			p[i] = byte(random.Uint32())
		}
		hash.Write(p)
		if _, err := c.Write(p); err != nil {
			return err
		}
		switch random.IntN(100) {
		case 0:
			time.Sleep(3 * time.Millisecond)
		case 1:
			if err := c.Flush(); err != nil {
				return err
			}
		}
	}
	if err := c.CloseWrite(); err != nil {
		return err
	}
	sum, err := io.ReadAll(c)
	if err != nil || string(sum) != string(hash.Sum(nil)) {
		return fmt.Errorf("what arrived is not what was sent: %x, %v", sum, err)
	}
	s := c.Stats()
	if s.WritesIn != 3000 || s.WritesOut > 1500 || c.Close() != nil {
		return fmt.Errorf("got %+v", s)
	}
	return nil
}

func ends(t *testing.T, l *Link) (output string) {
	t.Helper()
	server := l.Far.Command(os.Args[0])
	server.Env = append(os.Environ(), "WHERRY_LINK_END=far")
	ready, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { server.Process.Kill(); server.Wait() }()
	if _, err := io.ReadFull(ready, make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	client := l.Near.Command(os.Args[0])
	client.Env = append(os.Environ(), "WHERRY_LINK_END=near")
	text, err := client.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return strings.TrimSpace(string(text))
}

// Connecting takes a round trip, packets are lost, and what package coalesce
// sends arrives as it was.
func TestBadLink(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip(err)
	}
	l, err := NewBad(Profile{Delay: 20 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.02, Seed: 5})
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	var took int
	if fmt.Sscan(ends(t, l), &took); took < 20 || took > 2000 {
		t.Errorf("connecting took %d ms, want about 40", took)
	}
	if lost := l.Lost.Load(); lost == 0 || lost > 100 {
		t.Errorf("%d packets lost", lost)
	}
}

func TestVeth(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip(err)
	}
	l, err := NewVeth()
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	ends(t, l)
}
