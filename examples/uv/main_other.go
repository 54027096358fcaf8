//go:build !libuv || !cgo

// Uv needs libuv, so it is built only with the tag of that name.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "uv: built without libuv: install libuv1-dev (Debian) and use go run -tags libuv ./uv DIRECTORY")
	os.Exit(1)
}
