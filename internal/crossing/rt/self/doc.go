// Package self says where the runtime of the running program keeps what a direct
// call needs. The offsets are constants; they are compared with the runtime's own
// type descriptors in this very binary, which stripping leaves alone, and with the
// live runtime. Whatever does not hold is an error, and direct calls stay on the
// slow path.
package self

import (
	"sync"
)

// What assembly has as constants: that of packages direct and reentrant.
// Load verifies them, those of the Go version too.
const (
	GStackGuard0 = 16
	GM           = 48
	GSchedSP     = 56
	MG0          = 0
	MVdsoPC      = MVdsoSP + 8
)

// Load returns nil if the constants hold in this program. The first call takes some
// microseconds.
var Load = sync.OnceValue(load)
