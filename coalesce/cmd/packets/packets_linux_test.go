package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wherrygo/wherry/coalesce/internal/traffic"
)

// A program that sends in the ways that are told apart.
const sender = `package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	size, wait := 50, 20*time.Microsecond
	switch os.Args[1] {
	case "exit":
		os.Exit(3)
	case "signal":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "zombie": // a process that has ended, which nobody has waited for
		child := exec.Command(os.Args[0], "exit")
		if err := child.Start(); err != nil {
			panic(err)
		}
		for ended := false; !ended; time.Sleep(time.Millisecond) {
			stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", child.Process.Pid))
			if err != nil {
				panic(err)
			}
			ended = bytes.Contains(stat, []byte(") Z "))
		}
	case "fork":
		if err := exec.Command(os.Args[0], "small").Run(); err != nil {
			panic(err)
		}
		os.Exit(4)
	case "whole":
		size, wait = 128<<10, 0
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	peer, err := l.Accept()
	if err != nil {
		panic(err)
	}
	go io.Copy(io.Discard, peer)
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		if _, err := c.Write(make([]byte, size)); err != nil {
			panic(err)
		}
		for start := time.Now(); time.Since(start) < wait; {
		}
	}
	time.Sleep(50 * time.Millisecond)
}
`

// The command as a user without rights, on that user's programs and on others.
func TestWithoutRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can become another user; as ", os.Getuid(), " the tests of traffic show the same")
	}
	source, program := filepath.Join(t.TempDir(), "main.go"), filepath.Join(t.TempDir(), "sender")
	if err := os.WriteFile(source, []byte(sender), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, err := os.MkdirTemp("/tmp", "packets-") // TMPDIR may be closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	install := func(from, name string, mode os.FileMode) {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	install(packets, "packets", 0o755)
	install(program, "sender", 0o755)
	install(program, "unreadable", 0o711)
	install(program, "forbidden", 0o700)

	net := func(args ...string) (status int, stderr string) {
		cmd := exec.Command("./packets", args...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin"}
		var text strings.Builder
		cmd.Stderr = &text
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Skipf("cannot run as user 65534: %v", err)
		}
		return cmd.ProcessState.ExitCode(), text.String()
	}
	if _, stderr := net("--", "true"); strings.Contains(stderr, "sockdiag: ") {
		t.Skip(stderr)
	}
	for name, test := range map[string]struct {
		args   string
		status int
		helps  bool
		says   string
	}{
		"small":  {"./sender small", 0, true, "yes: about"},
		"whole":  {"./sender whole", 0, false, "full already"},
		"forked": {"./sender fork", 4, true, "yes: about"},
		"zombie": {"./sender zombie", 0, true, "yes: about"},
	} {
		found, stderr := false, ""
		for range 10 { // on a busy machine the sender pauses, which is then what packets says
			var status int
			status, stderr = net(append([]string{"-json", "--"}, strings.Fields(test.args)...)...)
			var r traffic.Report
			if err := json.Unmarshal([]byte(stderr), &r); err != nil || status != test.status || len(r.Hidden) > 0 {
				t.Fatalf("%s: status %d, %v: %s", name, status, err, stderr)
			}
			for _, c := range r.Connections {
				found = found || c.Packets > 100 && c.Helps == test.helps && strings.Contains(c.Explanation, test.says)
			}
			if found {
				break
			}
			t.Logf("%s: %s", name, stderr)
		}
		if !found {
			t.Errorf("%s: got %s, want a connection with %q", name, stderr, test.says)
		}
	}
	for name, test := range map[string]struct {
		args   string
		status int
		says   string
	}{
		"ends at once":          {"-- ./sender exit", 3, "no TCP connection"},
		"killed":                {"-- ./sender signal", 1, "packets: ./sender: signal: killed\n"},
		"program not permitted": {"-- ./forbidden small", 1, "permission denied"},
		"not to be looked at": {"-- ./unreadable small", 0,
			"(unreadable): it is another user's, or its file is setuid or not readable; run packets as root"},
		"program does not exist": {"-- ./missing", 1, "no such file"},
	} {
		status, stderr := net(strings.Fields(test.args)...)
		if status != test.status || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: status %d, %q; want %d, %q", name, status, stderr, test.status, test.says)
		}
	}
}
