//go:build unix

package measure

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A named pipe tells when a process is gone, without asking again and again:
// reading it blocks until someone has it open for writing, and ends when
// nobody has.
func TestCancelKillsHelpersToo(t *testing.T) {
	target := fake(t, "hang")
	alive := filepath.Join(target.Dir, "alive")
	if err := syscall.Mkfifo(alive, 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan error)
	go func() {
		pipe, err := os.Open(alive) // returns when the helper lives
		if err == nil {
			cancel()
			_, err = io.ReadAll(pipe) // returns when it does not
			pipe.Close()
		}
		gone <- err
	}()
	_, err := Compare(ctx, []Target{target}, Options{Count: 1})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "measure: interrupted") {
		t.Errorf("got error %v, want one that wraps context.Canceled", err)
	}
	select {
	case err := <-gone:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the helper of a killed process still lives")
	}
}
