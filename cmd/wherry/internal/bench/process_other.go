//go:build !unix

package bench

import "os/exec"

// killChildrenToo has no process groups here: a cancelled context ends the
// process alone.
func killChildrenToo(*exec.Cmd) {}
