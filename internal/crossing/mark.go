package crossing

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// MarkCallbacks has Go's unwinder take the functions of Frames that callbacks stand in for
// runtime.cgocallback: at a frame of that one it asks for C's frames. Nothing else in the runtime
// looks whether a function is that one. Go's assembler chooses this number (id) by a function's
// name, and by its name debuggers take that one for what it is.
//
// object is what the assembler has made of Frames. It describes each function by a piece of data, which
// begins with the sizes of arguments and locals, the number, flags, and the source's line (cmd/internal/goobj,
// FuncInfo). Where that is not found once for each function, the object is returned as it is.
func MarkCallbacks(object []byte, goarch string, id int64) []byte {
	text, err := Frames(goarch)
	if err != nil {
		return object
	}
	marked := bytes.Clone(object)
	for _, name := range []string{"_wherry_callback", "_wherry_callback_first"} {
		before, _, found := strings.Cut(text, "\nTEXT "+name+"(SB)")
		at := findFunction(object, uint32(strings.Count(before, "\n")+2))
		if !found || at < 0 {
			return object
		}
		marked[at] = byte(id)
	}
	return marked
}

// findFunction returns where an object has the number of the function without arguments that begins at
// a line of the source: -1 if nowhere, or not for certain.
func findFunction(object []byte, line uint32) int {
	const locals, number, ends = 4, 8, 16
	suffix := binary.LittleEndian.AppendUint32(nil, line)
	found := -1
	for from := 0; ; {
		i := bytes.Index(object[from:], suffix)
		if i < 0 {
			return found
		}
		from += i + 1
		at := from + 3 - ends
		if at < 0 {
			continue
		}
		info := object[at : at+ends]
		zero := info[0] | info[1] | info[2] | info[3] | info[number] | info[number+2] | info[number+3]
		if size := binary.LittleEndian.Uint32(info[locals:]); zero != 0 || size == 0 || size > 1<<10 {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = at + number
	}
}
