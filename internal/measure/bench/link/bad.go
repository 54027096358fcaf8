package link

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// A Profile says how bad a link is.
type Profile struct {
	Delay  time.Duration // of one direction
	Jitter time.Duration // the delay is longer or shorter by up to this; packets overtake each other
	Loss   float64       // the share of packets that are dropped, in each direction
	Rate   float64       // megabits a second, 0 for no limit
	Queue  int           // packets that wait when the rate is limited; more are dropped
	Seed   uint64
}

// Counts is what one direction of a bad link has seen.
type Counts struct {
	Packets, Data, Small, Dropped, Bytes atomic.Int64 // Small: data packets below half a segment
}

// NewBad joins two namespaces by a link that this process plays: it reads
// packets from a TUN device in one and writes them, late, out of order or not
// at all, to one in the other.
func NewBad(p Profile) (*Link, *[2]Counts, error) {
	l, err := newLink()
	if err != nil {
		return nil, nil, err
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
			return nil, nil, err
		}
	}
	counts := new([2]Counts)
	var all sync.WaitGroup
	for i := range ends {
		d := &direction{profile: p, from: ends[i], to: ends[1-i], counts: &counts[i], random: rand.New(rand.NewPCG(p.Seed, uint64(i)))}
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
	return l, counts, nil
}

// A direction moves packets one way.
type direction struct {
	profile  Profile
	from, to *os.File
	counts   *Counts
	random   *rand.Rand

	mu      sync.Mutex
	changed sync.Cond
	flying  flight
	number  int
	free    time.Time // when the last packet has been sent at the link's rate
	ended   bool
}

// receive takes packets from the sender.
func (d *direction) receive() {
	buffer := make([]byte, 65536)
	for {
		n, err := d.from.Read(buffer)
		if err != nil {
			d.mu.Lock()
			d.ended = true
			d.changed.Signal()
			d.mu.Unlock()
			return
		}
		d.count(buffer[:n])
		arrives, ok := d.send(n)
		if !ok {
			d.counts.Dropped.Add(1)
			continue
		}
		d.mu.Lock()
		d.number++
		heap.Push(&d.flying, packet{arrives, d.number, append([]byte(nil), buffer[:n]...)})
		d.changed.Signal()
		d.mu.Unlock()
	}
}

// send says when a packet of n bytes arrives, if it does.
func (d *direction) send(n int) (time.Time, bool) {
	p := d.profile
	if d.random.Float64() < p.Loss {
		return time.Time{}, false
	}
	sent := time.Now()
	if p.Rate > 0 {
		takes := time.Duration(float64(n) * 8 / p.Rate * float64(time.Microsecond))
		if d.free.Before(sent) {
			d.free = sent
		}
		if queue := max(p.Queue, 1); d.free.Sub(sent) > time.Duration(queue)*takes {
			return time.Time{}, false
		}
		d.free = d.free.Add(takes)
		sent = d.free
	}
	jitter := time.Duration((2*d.random.Float64() - 1) * float64(p.Jitter))
	return sent.Add(max(p.Delay+jitter, 0)), true
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
		if wait := time.Until(d.flying[0].arrives); wait > 0 {
			d.mu.Unlock()
			time.Sleep(min(wait, 5*time.Millisecond)) // an earlier one may come meanwhile
			d.mu.Lock()
			continue
		}
		p := heap.Pop(&d.flying).(packet)
		d.mu.Unlock()
		d.to.Write(p.data) // an error is a lost packet
		d.mu.Lock()
	}
}

// count looks at a packet of IPv4 and TCP.
func (d *direction) count(p []byte) {
	d.counts.Packets.Add(1)
	d.counts.Bytes.Add(int64(len(p)))
	if len(p) < 40 || p[0]>>4 != 4 || p[9] != 6 {
		return
	}
	head := int(p[0]&15) * 4
	if len(p) < head+20 {
		return
	}
	if data := len(p) - head - int(p[head+12]>>4)*4; data > 0 {
		d.counts.Data.Add(1)
		if data < 1448/2 {
			d.counts.Small.Add(1)
		}
	}
}

type packet struct {
	arrives time.Time
	number  int
	data    []byte
}

// A flight is a heap of packets, the first to arrive on top.
type flight []packet

func (f flight) Len() int { return len(f) }
func (f flight) Less(i, j int) bool {
	if f[i].arrives.Equal(f[j].arrives) {
		return f[i].number < f[j].number
	}
	return f[i].arrives.Before(f[j].arrives)
}
func (f flight) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *flight) Push(p any)   { *f = append(*f, p.(packet)) }
func (f *flight) Pop() any {
	last := len(*f) - 1
	p := (*f)[last]
	*f = (*f)[:last]
	return p
}
