package event

import (
	"errors"
	"os"
)

// A waker is what C writes to when the receiver sleeps in a read. The read
// waits in Go's poller and blocks no thread.
type waker struct {
	read  *os.File
	write int // descriptor
	other *os.File
}

func (w waker) close() error {
	err := w.read.Close()
	if w.other != nil {
		err = errors.Join(err, w.other.Close())
	}
	return err
}
