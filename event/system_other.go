//go:build !unix

package event

func mapMemory(int) ([]byte, error) { return nil, ErrUnsupported }

func unmapMemory([]byte) error { return nil }

func makeWaker() (waker, error) { return waker{}, ErrUnsupported }

func writeWaker(int) {}
