//go:build !linux

package link

import (
	"errors"
	"os"
)

func openTUN(string) (*os.File, error) { return nil, errors.ErrUnsupported }
