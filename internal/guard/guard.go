// Package guard holds the timing guard of direct calls: the C source that times
// some of them and sends a function back to cgo, which is compiled into the
// programs that need it, and where the assembly finds its data.
package guard

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"strings"
)

//go:embed c/guard.c
var source string

// layout ties the names that the assembly uses to the C source.
var layout = []struct {
	name  string
	value int64 // bytes, but for the states
	c     string
}{
	{"GUARD_STATE", 0, "offsetof(guard, state)"},
	{"GUARD_TARGET", 8, "offsetof(guard, target)"},
	{"GUARD_WRAPPER", 40, "offsetof(guard, wrapper)"},
	{"GUARD_SIZE", 64, "sizeof(guard)"},
	{"GUARD_DEMOTED", 0x4001, "DEMOTED"},
	{"GUARD_TRIAL", 0x4002, "TRIAL"},
	{"GUARD_SAMPLE", 32, "sizeof(sample)"},
	{"GUARD_SLOT", 4, "sizeof(slot)"},
}

// Slots is how many counters a thread has. Functions share them: since the
// distance from one timed call to the next varies, each gets its part.
const Slots = 64

// Slot gives the place of a function's counter in its thread's data, in bytes.
func Slot(symbol string) int64 {
	hash := fnv.New32a()
	hash.Write([]byte(symbol))
	return int64(hash.Sum32()%Slots) * Layout()["GUARD_SLOT"]
}

// Layout gives the offsets by the names that the assembly uses.
func Layout() map[string]int64 {
	values := map[string]int64{}
	for _, field := range layout {
		values[field.name] = field.value
	}
	return values
}

// Source is the C text. It includes only system headers, and does not compile
// where an offset is not as Layout says.
func Source() string {
	var text strings.Builder
	fmt.Fprintf(&text, "#define SLOTS %d\n", Slots)
	text.WriteString(source)
	for _, field := range layout {
		fmt.Fprintf(&text, "_Static_assert(%s == %d, %q);\n", field.c, field.value, field.name)
	}
	return text.String()
}
