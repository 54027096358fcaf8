//go:build !unix

package measure

import "os/exec"

// killChildrenToo has no process groups here: a cancelled context ends the
// process alone.
func killChildrenToo(*exec.Cmd) {}
