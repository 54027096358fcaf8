//go:build linux && cgo && (amd64 || arm64)

package callback

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	crossing "github.com/wherrygo/wherry/internal/crossing/c"
)

// In trampoline_ARCH.s.
func trampolines()

var trampolinesPC uintptr

const (
	perRegion  = 256
	distance   = 0x20000 // from a trampoline to its closure
	codeLength = perRegion * 16
)

// A region is a mapping of the trampolines with closures of its own.
type region struct {
	code     uintptr // of the first trampoline
	closures *[perRegion]crossing.Closure
}

// newRegion maps the pages of the program's file that hold the trampolines.
func newRegion() (*region, error) {
	file, offset, err := backing(trampolinesPC)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	page := uintptr(os.Getpagesize())
	inPage := trampolinesPC % page
	length := (inPage + codeLength + page - 1) / page * page
	if length > distance {
		return nil, fmt.Errorf("pages of %d bytes are too large", page)
	}
	base, _, errno := syscall.Syscall6(syscall.SYS_MMAP, 0, distance+length, syscall.PROT_NONE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE, ^uintptr(0), 0)
	if errno != 0 {
		return nil, fmt.Errorf("mapping trampolines: %w", errno)
	}
	_, _, errno = syscall.Syscall6(syscall.SYS_MMAP, base, length, syscall.PROT_READ|syscall.PROT_EXEC,
		syscall.MAP_PRIVATE|syscall.MAP_FIXED, file.Fd(), offset-inPage)
	if errno == 0 {
		_, _, errno = syscall.Syscall(syscall.SYS_MPROTECT, base+distance, length, syscall.PROT_READ|syscall.PROT_WRITE)
	}
	code := base + inPage
	switch {
	case errno != 0:
		err = fmt.Errorf("mapping trampolines from %s: %w", file.Name(), errno)
	case !bytes.Equal(memory(code), memory(trampolinesPC)):
		err = fmt.Errorf("%s is not the file any more that this program was started from", file.Name())
	}
	if err != nil {
		syscall.Syscall(syscall.SYS_MUNMAP, base, distance+length, 0)
		return nil, err
	}
	closures := code + distance
	return &region{code, *(**[perRegion]crossing.Closure)(unsafe.Pointer(&closures))}, nil
}

func memory(code uintptr) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&code)), codeLength)
}

// backing finds the file that an address of code was loaded from, and where in
// it: the program itself, or a shared library that it was built as.
func backing(pc uintptr) (*os.File, uintptr, error) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		var low, high, offset, inode uintptr
		var mode, device string
		if n, _ := fmt.Sscanf(line, "%x-%x %s %x %s %d", &low, &high, &mode, &offset, &device, &inode); n != 6 || pc < low || pc >= high {
			continue
		}
		if pc+codeLength > high || inode == 0 {
			break
		}
		path := "/proc/self/exe" // also when the file has been deleted
		if name, err := os.Readlink(path); err != nil || name != strings.TrimSpace(line[strings.IndexByte(line, '/'):]) {
			path = fmt.Sprintf("/proc/self/map_files/%x-%x", low, high)
			if file, err := os.Open(path); err == nil {
				return file, offset + pc - low, nil
			}
			path = strings.TrimSpace(line[strings.IndexByte(line, '/'):])
		}
		file, err := os.Open(path)
		return file, offset + pc - low, err
	}
	return nil, 0, errors.New("/proc/self/maps does not say where this program's code comes from")
}
