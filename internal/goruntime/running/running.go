// Package running compares the runtime of the running program with runtime.list, for the
// packages without the command. There the offsets are constants; they are compared with the
// runtime's own type descriptors in this very binary, which stripping leaves alone, and
// with the live runtime. Whatever does not hold is an error, and calls stay on the slow
// path.
package running

import "sync"

// offsets are those of fields, by their paths in g, m and _defer.
type offsets []struct {
	path         string
	offset, size uintptr
}

// Verify returns nil if the constants hold in this program. The first call takes some
// microseconds.
var Verify = sync.OnceValue(verify)
