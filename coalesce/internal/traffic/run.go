package traffic

import (
	"os/exec"
	"time"

	"github.com/wherrygo/wherry/coalesce/internal/sockdiag"
)

// Run starts a program and looks at its connections until it ends. The error
// is the program's, or why it could not be watched; then it was not started.
func Run(cmd *exec.Cmd, interval time.Duration) (seen *Report, program, err error) {
	kernel, err := sockdiag.Open()
	if err != nil {
		return nil, nil, err
	}
	defer kernel.Close()
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	processes := ProcessesOf(cmd.Process.Pid)
	w := NewWatch(kernel, processes.Sockets)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case program = <-ended:
			// What it sent last may still be on its way.
			for range 5 {
				if err == nil {
					err = w.Look(time.Now())
				}
				if len(w.flows) == 0 {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			return &Report{w.Connections(), processes.Hidden()}, program, err
		case <-tick.C:
			if err == nil {
				err = w.Look(time.Now())
			}
		}
	}
}
