//go:build !(linux && cgo)

package loader

import (
	"fmt"
	"runtime"
)

func Open(string) (handle uintptr, err error)             { return 0, unsupported() }
func Symbol(uintptr, string) (address uintptr, err error) { return 0, unsupported() }
func Close(uintptr) error                                 { return unsupported() }

func unsupported() error {
	if runtime.GOOS == "linux" {
		return ErrNoCgo
	}
	return fmt.Errorf("linux is needed; this is %s", runtime.GOOS)
}
