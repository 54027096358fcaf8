package coalesce

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// The model of a Conn is a byte slice: what calls accepted, in order. The peer
// must get exactly that, or, where Close says so, that without its last bytes.

// A stingy connection takes a part of what is written and then misses a
// deadline, now and then.
type stingy struct {
	net.Conn
	mu     sync.Mutex
	random *rand.Rand
}

func (s *stingy) Write(p []byte) (int, error) {
	s.mu.Lock()
	n, miss := s.random.IntN(len(p)+1), s.random.IntN(3) == 0
	s.mu.Unlock()
	if !miss {
		return s.Conn.Write(p)
	}
	if n, err := s.Conn.Write(p[:n]); err != nil {
		return n, err
	}
	return n, os.ErrDeadlineExceeded
}

// play runs a program, one byte an operation, and compares with the model.
func play(t *testing.T, below string, program []byte, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	network := "tcp"
	if below == "unix" {
		network = "unix"
	}
	var near, far net.Conn
	if below == "pipe" {
		near, far = net.Pipe()
	} else {
		near, far = connect(t, network)
	}
	if below == "stingy" {
		near = &stingy{Conn: near, random: rand.New(rand.NewPCG(seed, 2))}
	}
	c := Wrap(near, CloseWithin(time.Minute))
	var got []byte
	read := make(chan error)
	go func() {
		buffer := make([]byte, 5000)
		for {
			n, err := far.Read(buffer)
			got = append(got, buffer[:n]...)
			if err != nil {
				read <- err
				return
			}
		}
	}()

	var model []byte
	accept := func(p []byte, n int, err error) {
		if n < 0 || n > len(p) || err == nil && n != len(p) {
			t.Fatalf("writing %d bytes: %d, %v", len(p), n, err)
		}
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("writing %d bytes: %v", len(p), err)
		}
		model = append(model, p[:n]...)
	}
	shut := false
	for _, op := range program {
		size := [...]int{1, 7, 50, 400, 1448, 5000, largeWrite - 1, largeWrite, bufferSize, 40000}[int(op>>4)%10]
		p := pattern(len(model), size)
		switch op & 15 {
		default:
			n, err := c.Write(p)
			accept(p, n, err)
		case 8:
			if err := c.Flush(); err == nil && c.Stats().Buffered != 0 {
				t.Fatal("bytes are buffered after Flush")
			} else if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
		case 9:
			far.SetWriteDeadline(time.Now().Add(10 * time.Second))
			go far.Write([]byte("?"))
			if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		case 10:
			n, err := c.ReadFrom(bytes.NewReader(p))
			accept(p, int(n), err)
		case 11:
			n, err := c.WriteBuffers(&net.Buffers{p[:size/2], p[size/2:]})
			accept(p, int(n), err)
		case 12:
			c.SetWriteDeadline(time.Unix(1, 0))
			n, err := c.Write(p)
			if n != 0 || err == nil {
				t.Fatalf("after the deadline: %d, %v", n, err)
			}
			c.SetWriteDeadline(time.Time{})
		case 13:
			time.Sleep(time.Duration(random.IntN(2500)) * time.Microsecond)
		case 14:
			c.SetWriteDeadline(time.Now().Add(time.Duration(random.IntN(300)) * time.Microsecond))
			n, err := c.Write(p)
			accept(p, n, err)
			c.SetWriteDeadline(time.Time{})
		case 15:
			if below == "tcp" && random.IntN(4) == 0 {
				if err := c.CloseWrite(); err == nil {
					shut = true
				}
			}
		}
		if shut {
			break
		}
	}
	err := c.Close()
	var unsent *UnsentError
	if err != nil && !errors.As(err, &unsent) {
		t.Fatalf("Close: %v", err)
	}
	if err := <-read; err != io.EOF {
		t.Fatalf("the peer: %v", err)
	}
	if unsent != nil {
		if below != "stingy" {
			t.Fatalf("Close: %v", err)
		}
		model = model[:len(model)-unsent.Bytes]
	}
	if !bytes.Equal(got, model) {
		for i := range min(len(got), len(model)) {
			if got[i] != model[i] {
				t.Fatalf("the peer got %d bytes, the model has %d; they differ from byte %d on", len(got), len(model), i)
			}
		}
		t.Fatalf("the peer got %d bytes, the model has %d", len(got), len(model))
	}
}

var belows = []string{"tcp", "unix", "pipe", "stingy"}

func FuzzOperations(f *testing.F) {
	for i := range belows {
		f.Add(uint8(i), []byte{0, 1, 2, 0x18, 0x20, 9, 0x71, 0x53, 13, 14, 10, 11, 12, 0x91}, uint64(i))
	}
	f.Fuzz(func(t *testing.T, below uint8, program []byte, seed uint64) {
		play(t, belows[int(below)%len(belows)], program[:min(len(program), 200)], seed)
	})
}

// Random programs against the model, whatever the fuzzer has found.
func TestOperationsAgreeWithModel(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	for _, below := range belows {
		t.Run(below, func(t *testing.T) {
			for i := range rounds {
				seed := uint64(i)
				random := rand.New(rand.NewPCG(seed, 3))
				program := make([]byte, 1+random.IntN(120))
				for j := range program {
					program[j] = byte(random.Uint32())
				}
				play(t, below, program, seed)
				if t.Failed() {
					t.Fatalf("seed %d, program %v", seed, program)
				}
			}
		})
	}
}
