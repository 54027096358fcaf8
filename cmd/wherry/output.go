package main

import (
	"os"

	"github.com/wherrygo/wherry/internal/printable"
)

// What wherry says itself goes here, since names and comments of modules are in it. Programs
// that it starts write to os.Stdout and os.Stderr.
var stdout, stderr = printable.Writer{To: os.Stdout}, printable.Writer{To: os.Stderr}
