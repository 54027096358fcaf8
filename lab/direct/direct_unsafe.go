//go:build linux && amd64

// Package direct measures packages direct and callback and their rivals: cgo,
// github.com/ebitengine/purego, and stubs with a frame of 64 KB.
package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import (
	"unsafe"

	"github.com/wherrygo/wherry/internal/goruntime/running"
	"github.com/wherrygo/wherry/lab/direct/c"
)

// frameAdd is the rival's stub for c_add.
func frameAdd(a, b int32) int32

// The rival's stub jumps there.
var frameAddress unsafe.Pointer //lint:ignore U1000 assembly reads it

// Where the runtime keeps what the floors need; package running verifies that.
const (
	gM       = running.G_M
	gSchedSP = running.G_SCHED_SP
	mG0      = running.M_G0
)

func init() {
	var err error
	if frameAddress, err = c.Lookup("c_add"); err != nil {
		panic(err)
	}
}
