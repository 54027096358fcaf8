// Package crossing holds the text of calls and callbacks, which is compiled into programs.
package crossing

import (
	"embed"
	"fmt"
)

//go:embed frames/frames_*.s
var files embed.FS

// Frames returns the functions that Go's unwinder must know, for Go's assembler, which wants
// a go_asm.h with the runtime's offsets, and LENDS where C threads lend.
func Frames(goarch string) (string, error) {
	text, err := files.ReadFile("frames/frames_" + goarch + ".s")
	if err != nil {
		return "", fmt.Errorf("crossing: there is no assembly for %s", goarch)
	}
	return string(text), nil
}
