//go:build linux

package link

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A Profile says how bad a link is.
type Profile struct {
	Delay  time.Duration // of one direction
	Jitter time.Duration // the delay is longer or shorter by up to this; packets overtake each other
	Loss   float64       // the share of packets that are dropped, in each direction
	Seed   uint64
}

// NewBad joins two namespaces by a link that this process plays: it reads
// packets from a TUN device in one and writes them, late, out of order or not
// at all, to one in the other.
func NewBad(p Profile) (*Link, error) {
	l, err := newLink()
	if err != nil {
		return nil, err
	}
	var ends [2]*os.File
	for i, n := range []Namespace{l.Near, l.Far} {
		name := fmt.Sprintf("wh%d-%d", os.Getpid()%100000, i)
		if ends[i], err = openTUN(name); err == nil {
			err = ip("link set "+name+" netns "+n.Name, "-n "+n.Name+" link set "+name+" name tun0",
				"-n "+n.Name+" addr add "+n.Address+"/24 dev tun0", "-n "+n.Name+" link set tun0 txqueuelen 1000 up")
		}
		if err != nil {
			l.Close()
			return nil, err
		}
	}
	var all sync.WaitGroup
	for i := range ends {
		d := &direction{profile: p, from: ends[i], to: ends[1-i], lost: &l.Lost, random: rand.New(rand.NewPCG(p.Seed, uint64(i)))}
		d.changed.L = &d.mu
		all.Add(2)
		go func() { defer all.Done(); d.receive() }()
		go func() { defer all.Done(); d.deliver() }()
	}
	l.stop = func() {
		for _, end := range ends {
			end.Close()
		}
		all.Wait()
	}
	return l, nil
}

// A direction moves packets one way.
type direction struct {
	profile  Profile
	from, to *os.File
	lost     *atomic.Int64
	random   *rand.Rand

	mu      sync.Mutex
	changed sync.Cond
	flying  []packet // the first to arrive in front
	ended   bool
}

type packet struct {
	arrives time.Time
	data    []byte
}

// receive takes packets from the sender.
func (d *direction) receive() {
	buffer := make([]byte, 65536)
	for {
		n, err := d.from.Read(buffer)
		if err == nil && d.random.Float64() < d.profile.Loss {
			d.lost.Add(1)
			continue
		}
		jitter := time.Duration((2*d.random.Float64() - 1) * float64(d.profile.Jitter))
		p := packet{time.Now().Add(max(d.profile.Delay+jitter, 0)), slices.Clone(buffer[:n])}
		d.mu.Lock()
		d.ended = err != nil
		at, _ := slices.BinarySearchFunc(d.flying, p, func(other, p packet) int {
			if other.arrives.After(p.arrives) {
				return 1
			}
			return -1
		})
		d.flying = slices.Insert(d.flying, at, p)
		d.changed.Signal()
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// deliver hands packets to the receiver when they arrive.
func (d *direction) deliver() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.ended {
		if len(d.flying) == 0 {
			d.changed.Wait()
			continue
		}
		p := d.flying[0]
		wait := time.Until(p.arrives)
		if wait <= 0 {
			d.flying = d.flying[1:]
		}
		d.mu.Unlock()
		if wait <= 0 {
			d.to.Write(p.data) // an error is a lost packet
		} else {
			time.Sleep(min(wait, 5*time.Millisecond)) // an earlier one may come meanwhile
		}
		d.mu.Lock()
	}
}
