package coalesce

import "time"

// An Option changes how a Conn works.
type Option func(*config)

type config struct {
	linger      time.Duration // the longest
	closeWithin time.Duration
}

func configOf(options []Option) config {
	c := config{linger: longestLinger, closeWithin: 5 * time.Second}
	for _, option := range options {
		option(&c)
	}
	return c
}

// Linger sets how long the ninth and later writes of a burst may wait for
// more. The default is 10 ms; the wait is an eighth of the round-trip time if
// that is shorter. 0 turns waiting off: what is buffered then leaves as soon as
// the writer pauses.
func Linger(longest time.Duration) Option {
	return func(c *config) { c.linger = max(longest, 0) }
}

// CloseWithin sets how long Close may wait for bytes that the kernel does not
// take at once. The default is 5 s, as for the last message of a TLS
// connection.
func CloseWithin(limit time.Duration) Option {
	return func(c *config) { c.closeWithin = max(limit, 0) }
}
