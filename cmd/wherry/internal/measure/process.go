package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// A run is one process that came to its end, well or not.
type run struct {
	stdout []byte
	output *output // stdout and stderr, as they came
	state  *os.ProcessState
	wall   time.Duration
}

// quote returns the end of the output for an error message, or the head of its trace
// if the process crashed. A test that fails ends with exit status 1, whatever it prints.
func (r *run) quote() string {
	if r.state != nil && r.state.ExitCode() != 1 {
		if head := r.output.crash(); head != "" {
			return head
		}
	}
	return r.output.end()
}

// start runs a process to its end and keeps its output. An exit status other
// than 0 is not an error here.
func start(ctx context.Context, executable, dir string, args ...string) (*run, error) {
	var stdout bytes.Buffer
	r, err := startTo(ctx, &stdout, executable, dir, args...)
	if err != nil {
		return nil, err
	}
	r.stdout = stdout.Bytes()
	return r, nil
}

// drain is how long a process's children may hold its output open after it
// ended.
const drain = 10 * time.Second

// startTo is start with the standard output going elsewhere. An *os.File is
// given to the process as it is, so nothing is copied while the process runs;
// then it keeps only stderr.
func startTo(ctx context.Context, stdout io.Writer, executable, dir string, args ...string) (*run, error) {
	r := &run{output: new(output)}
	cmd := exec.CommandContext(ctx, executable, args...)
	cmd.Dir = dir
	cmd.Stdout = stdout
	if _, isFile := stdout.(*os.File); !isFile {
		cmd.Stdout = io.MultiWriter(stdout, r.output)
	}
	cmd.Stderr = r.output
	cmd.WaitDelay = drain
	killChildrenToo(cmd)

	begin := time.Now()
	err := cmd.Run()
	r.wall = time.Since(begin)
	r.state = cmd.ProcessState
	if ctx.Err() != nil {
		return nil, fmt.Errorf("measure: interrupted: %w", ctx.Err())
	}
	var exit *exec.ExitError
	switch {
	case err == nil, errors.As(err, &exit):
		return r, nil
	case errors.Is(err, exec.ErrWaitDelay):
		return nil, fmt.Errorf("measure: %s ended, but a process that it left behind still holds its output; stop such processes in the tests' "+
			"cleanup%s", executable, r.quote())
	}
	return nil, fmt.Errorf("measure: cannot run %s: %w", executable, err)
}
