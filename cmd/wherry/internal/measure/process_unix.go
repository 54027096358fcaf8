//go:build unix

package measure

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// killChildrenToo makes a cancelled context end the process together with
// what it started: tests often start helpers, and these would go on using the
// CPU on which the next comparison measures.
func killChildrenToo(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
