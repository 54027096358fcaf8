// Package cstack holds the C stacks of reentrant calls: the C source that maps
// and pools them, which is compiled into the programs that need it, and where
// the assembly finds the fields of its two structs.
package cstack

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strings"
)

//go:embed c/cstack.c
var source string

// layout ties the names that the assembly uses to the C source.
var layout = []struct {
	name   string
	offset int64 // bytes
	c      string
}{
	{"REC_GOSP", 0, "offsetof(record, go_sp)"},
	{"REC_GOFP", 8, "offsetof(record, go_fp)"},
	{"REC_GOLR", 16, "offsetof(record, go_lr)"},
	{"REC_G", 24, "offsetof(record, g)"},
	{"REC_CSP", 32, "offsetof(record, c_sp)"},
	{"REC_DEEPER", 40, "offsetof(record, deeper)"},
	{"REC_OUTER", 48, "offsetof(record, outer)"},
	{"REC_SURPLUS", 56, "offsetof(record, surplus)"},
	{"REC_RETURNS", 72, "offsetof(record, returns)"},
	{"REC_ORDER", 80, "offsetof(record, order)"},
	{"REC_SIZE", 128, "sizeof(record)"},
	{"THREAD_ACTIVE", 0, "offsetof(thread, active)"},
}

// Layout gives the offsets by the names that the assembly uses.
func Layout() map[string]int64 {
	offsets := map[string]int64{}
	for _, field := range layout {
		offsets[field.name] = field.offset
	}
	return offsets
}

// MaxSize is the largest stack that can be asked for, in bytes.
const MaxSize = 1 << 30

// Order is the size class of a stack of at least so many bytes: its size's
// power of two. 0 bytes is the class of the default.
func Order(size int64) int {
	if size == 0 {
		return 0
	}
	return bits.Len64(uint64(size - 1))
}

// Source is the C text, for a runtime with g.throwsplit at that offset. It
// includes only system headers, and does not compile where an offset is not as
// Layout says.
func Source(throwSplit int64) string {
	var text strings.Builder
	fmt.Fprintf(&text, "#define G_THROWSPLIT %d\n", throwSplit)
	text.WriteString(source)
	for _, field := range layout {
		fmt.Fprintf(&text, "_Static_assert(%s == %d, %q);\n", field.c, field.offset, field.name)
	}
	return text.String()
}
