package enter

import (
	"strconv"

	"github.com/wherrygo/wherry/internal/goruntime"
)

// Offsets are what the text has for each offset of the runtime's, by the names that the
// templates use.
type Offsets map[string]string

// Numbers are the offsets of one Go: for a program that wherry builds.
func Numbers(numbers goruntime.Offsets) Offsets {
	offsets := Offsets{}
	for name, n := range numbers {
		offsets[name] = strconv.FormatInt(n, 10)
	}
	return offsets
}

// macros names them for C's preprocessor, as the templates do, in programs that are built
// plainly.
func macros() Offsets {
	offsets := Offsets{}
	for _, l := range goruntime.List {
		if l.At != nil {
			offsets[l.Name] = l.Name
		}
	}
	return offsets
}

// pair reports whether m.vdsoPC follows m.vdsoSP. In programs that are built plainly that
// is so in each version of the list.
func (o Offsets) pair() bool {
	sp, err := strconv.Atoi(o["M_VDSOSP"])
	return err != nil || o["M_VDSOPC"] == strconv.Itoa(sp+8)
}
