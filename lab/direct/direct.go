//go:build linux && amd64

// Package direct measures packages direct and callback and their rivals: cgo,
// github.com/ebitengine/purego, and floors of hand-written assembly.
package direct

//lint:file-ignore U1000 assembly uses what only seems unused

import "github.com/wherrygo/wherry/internal/goruntime/running"

// Where the runtime keeps what the floors need; package running verifies that.
const (
	gM       = running.G_M
	gSchedSP = running.G_SCHED_SP
	mG0      = running.M_G0
)
