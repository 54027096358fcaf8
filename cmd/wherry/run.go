package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/wherrygo/wherry/internal/build/gotool"
)

// parseFlags reads a subcommand's flags, which its page of help lists.
func parseFlags(set *flag.FlagSet, args []string) error {
	set.SetOutput(io.Discard)
	if err := set.Parse(args); err != nil {
		return usageError{fmt.Errorf("%s: %w; wherry help %s lists the flags", set.Name(), err, set.Name())}
	}
	return nil
}

func given(set *flag.FlagSet, name string) (is bool) {
	set.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// goFlags passes flags on to the go command: those named, which have values, and -trimpath.
func goFlags(set *flag.FlagSet, c *gotool.Command, names ...string) {
	for _, name := range names {
		set.Func(name, "", func(value string) error { c.Flags = append(c.Flags, "-"+name+"="+value); return nil })
	}
	set.BoolFunc("trimpath", "", func(string) error { c.Flags = append(c.Flags, "-trimpath"); return nil })
}

// writeIndented writes JSON for people too: C code keeps its < and &.
func writeIndented(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "\t")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// goCommand runs the go command in this one's place.
func goCommand(args []string) error {
	cmd := exec.Command("go", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, goErrors()
	cmd.WaitDelay = time.Second // a program in the background may keep these open
	if _, err := runFor(cmd, 0); !errors.Is(err, exec.ErrWaitDelay) {
		return exitOf(err)
	}
	return nil
}

// goCommandTo has it write all that it says to out.
func goCommandTo(out io.Writer, args []string) error {
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = out, out
	_, err := runFor(cmd, 0)
	return exitOf(err)
}

// exitOf has wherry end as a command that has ended with this error.
func exitOf(err error) error {
	if errors.Is(err, exec.ErrNotFound) { // only the go command is run by its name alone
		return gotool.ErrNoGo
	}
	exit := new(exec.ExitError)
	if !errors.As(err, &exit) {
		return err
	}
	if w, ok := exit.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		endedBy.Store(int32(w.Signal()))
		return exitError(128 + int(w.Signal())) // as a shell says it
	}
	return exitError(max(1, exit.ExitCode()))
}

// runFor runs a command, and ends it after a time if that is not 0.
func runFor(cmd *exec.Cmd, duration time.Duration) (ended bool, err error) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, append(slices.Clip(endingSignals), syscall.SIGQUIT)...)
	defer signal.Stop(signals)
	// A terminal sends its interrupts to the program too.
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		terminal.Close()
	}
	hasTerminal := err == nil
	waitsFor.Add(1)
	defer waitsFor.Add(-1)
	if err := cmd.Start(); err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var term, kill <-chan time.Time
	if duration > 0 {
		term = time.After(duration)
	}
	for {
		select {
		case err := <-done:
			return ended, err
		case s := <-signals:
			if s == syscall.SIGTERM || s == syscall.SIGHUP || !hasTerminal {
				cmd.Process.Signal(s)
			}
		case <-term:
			ended = true
			cmd.Process.Signal(syscall.SIGTERM)
			kill = time.After(5 * time.Second)
		case <-kill:
			cmd.Process.Kill()
		}
	}
}

// runAccelerated builds a program of these files with wherry in a folder of its own, runs it and
// returns what it writes.
func runAccelerated(files map[string]string, args ...string) (string, error) {
	dir, err := os.MkdirTemp("", "wherry-program-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	executable, err := os.Executable()
	if err != nil {
		return "", err
	}
	build := exec.Command(executable, "build", "-trimpath", "-buildvcs=false", "-o", "program", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building a program with wherry failed: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	output, err := exec.CommandContext(ctx, filepath.Join(dir, "program"), args...).CombinedOutput()
	if err != nil {
		line, _, _ := strings.Cut(string(output), "\n")
		return "", fmt.Errorf("the program failed (%w): %s", err, line)
	}
	return string(output), nil
}
