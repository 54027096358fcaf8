// Package self finds out where the runtime of the running program keeps what
// a direct call needs. The offsets come from the runtime's own type
// descriptors in this very binary, which stripping leaves alone, and are then
// checked against the live runtime. Whatever does not hold is an error, and
// direct calls stay on the slow path.
package self

import (
	"sync"
)

// Offsets are in bytes. The assembly has g.stackguard0, g.m, g.sched.sp and
// m.g0 as constants; Load verifies them.
type Offsets struct {
	VdsoSP     uintptr // m.vdsoSP; m.vdsoPC is the word behind it
	ThrowSplit uintptr // g.throwsplit
}

// What assembly has as constants: that of packages direct and reentrant, and stubs.
const (
	GStackGuard0 = 16
	GM           = 48
	GSchedSP     = 56
	MG0          = 0
)

// Load gives the offsets. The first call takes some microseconds.
var Load = sync.OnceValues(load)
