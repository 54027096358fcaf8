package traffic

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
)

// A Report is what was seen of a program.
type Report struct {
	Connections []Connection `json:"connections"`
	Hidden      []string     `json:"hidden,omitempty"` // processes that may not be looked at: "1234 (ping)"
}

// A Connection is what was seen of one.
type Connection struct {
	Local       string  `json:"local"`
	Remote      string  `json:"remote"`
	Packets     int64   `json:"packets"` // with data, sent by the program
	Bytes       int64   `json:"bytes"`
	Segment     int     `json:"segment"`         // bytes in a full packet
	SmallShare  float64 `json:"small_share"`     // at least this share is below half a segment
	Resent      int64   `json:"retransmissions"` // packets
	RTTMicros   int64   `json:"rtt_us"`
	AfterAbout  int64   `json:"packets_coalesced"` // what coalesce would make of it, about
	Helps       bool    `json:"coalescing_helps"`
	Explanation string  `json:"explanation"`
}

// Fewer packets than this say nothing.
const enough = 100

// Connections returns what was seen, in the order of appearance.
func (w *Watch) Connections() []Connection {
	list := []Connection{}
	for _, f := range w.order {
		c := Connection{
			Local: f.last.Local.String(), Remote: f.last.Remote.String(),
			Packets: f.packets, Bytes: f.bytes, Segment: f.segment,
			Resent: f.last.Retrans, RTTMicros: f.last.RTT.Microseconds(),
			AfterAbout: int64(math.Round(f.after)),
		}
		if f.packets > 0 {
			c.SmallShare = f.small / float64(f.packets)
		}
		c.Helps, c.Explanation = f.judge(c)
		list = append(list, c)
	}
	return list
}

func (f *flow) judge(c Connection) (bool, string) {
	switch {
	case f.packets == 0:
		return false, "sent nothing"
	case f.packets < enough:
		return false, "no: only " + counted(f.packets)
	case c.AfterAbout*2 <= f.packets:
		return true, fmt.Sprintf("yes: about %d packets instead of %d", c.AfterAbout, f.packets)
	case f.bytes*2 > f.packets*int64(f.segment):
		return false, "no: packets are full already"
	case f.paused*2 > f.packets:
		return false, "no: pauses between packets, and a lone message is not delayed"
	case f.turns*2 > f.packets:
		return false, "no: most packets wait for an answer"
	}
	return false, fmt.Sprintf("little: about %d packets instead of %d", c.AfterAbout, f.packets)
}

func counted(packets int64) string {
	if packets == 1 {
		return "1 packet"
	}
	return fmt.Sprintf("%d packets", packets)
}

// WriteText writes a table.
func WriteText(out io.Writer, r Report) error {
	for _, process := range r.Hidden {
		if _, err := fmt.Fprintf(out, "packets: cannot see the connections of process %s: it is another user's, or its file is setuid or not "+
			"readable; run packets as root\n", process); err != nil {
			return err
		}
	}
	if len(r.Connections) == 0 {
		if len(r.Hidden) > 0 {
			return nil
		}
		_, err := fmt.Fprintln(out, "packets: the program had no TCP connection that lasted long enough to be seen")
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "local\tremote\tpackets\tbytes/packet\tbelow half\tresent\tround trip\twould coalescing help?")
	for _, c := range r.Connections {
		each := "-"
		if c.Packets > 0 {
			each = fmt.Sprintf("%d of %d", c.Bytes/c.Packets, c.Segment)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t>= %.0f %%\t%d\t%.1f ms\t%s\n", c.Local, c.Remote, c.Packets, each, c.SmallShare*100, c.Resent,
			float64(c.RTTMicros)/1000, c.Explanation)
	}
	return w.Flush()
}

// WriteJSON writes one object: {"connections": [...]}, with "hidden" where
// there is something hidden.
func WriteJSON(out io.Writer, r Report) error {
	return json.NewEncoder(out).Encode(r)
}
