package goruntime

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed live/main.go
var liveSource string

// LiveFiles are the files of a module whose program, built with acceleration,
// checks the offsets from inside a call, and that calls turn. It prints one fact a line, or
// what does not hold and exits with 1.
func LiveFiles() map[string]string {
	return map[string]string{
		"go.mod":        "module wherry.invalid/live\n\ngo 1.24\n",
		"main.go":       strings.Replace(liveSource, "//go:build ignore\n\n", "", 1),
		"wherry.policy": "wherry.invalid/live unlisted cgo\n",
	}
}

// LiveArgs returns the program's arguments.
func (o Offsets) LiveArgs() []string {
	var args []string
	for _, name := range []string{"G_M", "G_SCHED_SP", "M_G0", "M_CURG", "M_VDSOPC", "M_VDSOSP", "M_INCGO"} {
		args = append(args, strconv.FormatInt(o[name], 10))
	}
	return args
}
