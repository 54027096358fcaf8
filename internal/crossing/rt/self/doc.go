// Package self says where the runtime of the running program keeps what the packages
// without the command need. The offsets are constants; they are compared with the
// runtime's own type descriptors in this very binary, which stripping leaves alone, and
// with the live runtime. Whatever does not hold is an error, and calls stay on the slow
// path.
package self

import (
	"sync"
)

// What assembly and C have as constants, those of the files for Go's versions too. Load
// verifies all of them.
const (
	GStackLo     = 0
	GStackHi     = 8
	GStackGuard0 = 16
	GStackGuard1 = 24
	GDefer       = 40
	GM           = 48
	GSchedSP     = 56
	GSchedPC     = 64
	GSchedBP     = GSyscallSP - 8
	GSyscallPC   = GSyscallSP + 8
	GSyscallBP   = GSyscallSP + 16
	MG0          = 0
	MVdsoPC      = MVdsoSP + 8
	DHeap        = 0
	DSP          = 8
	DFn          = 24
	DLink        = 32
)

// Load returns nil if the constants hold in this program. The first call takes some
// microseconds.
var Load = sync.OnceValue(load)
