package rt

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed live/main.go
var liveSource string

// LiveFiles are the files of a module whose program, built with acceleration,
// checks the offsets from inside a direct call. It prints one fact a line, or
// what does not hold and exits with 1.
func LiveFiles() map[string]string {
	return map[string]string{
		"go.mod":        "module wherry.invalid/live\n\ngo 1.24\n",
		"main.go":       strings.Replace(liveSource, "//go:build ignore\n\n", "", 1),
		"wherry.policy": "wherry.invalid/live * direct\nwherry.invalid/live unlisted cgo\n",
	}
}

// LiveArgs are the program's arguments.
func (o Offsets) LiveArgs() []string {
	var args []string
	for _, offset := range []int64{o.GM, o.GSchedSP, o.GThrowSplit, o.MG0, o.MVdsoPC, o.MVdsoSP} {
		args = append(args, strconv.FormatInt(offset, 10))
	}
	return args
}
