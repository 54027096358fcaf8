package coalesce

// A Reason says why bytes left.
type Reason int

const (
	First    Reason = iota // the first write of a burst, which does not wait
	Large                  // a large write, with what was buffered before it
	Full                   // the buffer was full
	Idle                   // the writer paused
	Lingered               // the wait for more was over
	Turned                 // the program read
	Flushed                // Flush, ReadFrom, WriteBuffers
	Closed                 // Close or CloseWrite
	reasons
)

var reasonNames = [reasons]string{"first", "large", "full", "idle", "lingered", "turned", "flushed", "closed"}

func (r Reason) String() string {
	if r < 0 || r >= reasons {
		return "unknown"
	}
	return reasonNames[r]
}

// Stats counts what a Conn has done. What ReadFrom and WriteBuffers hand to the
// kernel directly counts as bytes, not as writes.
type Stats struct {
	WritesIn  int64          // calls of Write
	WritesOut int64          // writes to the connection below
	Bytes     int64          // taken by the connection below
	Buffered  int            // bytes accepted that have not left
	Why       [reasons]int64 // WritesOut by Reason
}

func (s *Stats) sent(n int, why Reason) {
	s.WritesOut++
	s.Bytes += int64(n)
	s.Why[why]++
}

// Stats returns the counts until now.
func (c *Conn) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Buffered = c.unsent()
	return s
}
