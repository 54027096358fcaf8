// Package regular opens files whose names others have chosen. Only regular ones: a pipe could
// keep the program waiting, a device never ends.
package regular

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"syscall"
)

// An Opener is os.OpenFile, or the method of an os.Root.
type Opener func(name string, flag int, mode os.FileMode) (*os.File, error)

// Open opens a file to read it and returns its size.
func (open Opener) Open(name string) (*os.File, int64, error) {
	file, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s: is a directory, not a file", name)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s: is not a regular file but a pipe, a device or the like", name)
	default:
		return file, info.Size(), nil
	}
	file.Close()
	return nil, 0, err
}

// Read returns the content of a file of at most limit bytes.
func (open Opener) Read(name string, limit int64) ([]byte, error) {
	file, size, err := open.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	tooLarge := fmt.Errorf("%s: more than the %d bytes that are read", name, limit)
	if size > limit {
		return nil, tooLarge
	}
	content := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	n, err := content.ReadFrom(io.LimitReader(file, limit+1)) // files of /proc say no size
	if err == nil && n > limit {
		err = tooLarge
	}
	return content.Bytes(), err
}

// largestSource is more than the Go compiler takes, in bytes.
const largestSource = 1 << 28

// Source returns the content of a source file.
func Source(name string) ([]byte, error) { return Opener(os.OpenFile).Read(name, largestSource) }
