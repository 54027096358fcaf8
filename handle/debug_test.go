package handle_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/handle"
)

// programs are what TestDebugMode runs in processes of their own, each with
// what its output must have, in this order.
var programs = map[string]struct {
	run  func(t *testing.T)
	want []string
}{
	"deleteTwice": {
		func(*testing.T) { h := makeHandle(); deleteHandle(h); h.Delete() },
		[]string{"already deleted", "created at", "makeHandle", "debug_test.go:", "deleted at", "deleteHandle", "debug_test.go:"},
	},
	"useAfterDelete": {
		func(*testing.T) { h := makeHandle(); deleteHandle(h); h.Value() },
		[]string{"handle: Value of", "already deleted", "created at", "makeHandle", "deleted at", "deleteHandle"},
	},
	"typed": {
		func(*testing.T) { h := handle.New(new(int)); h.Delete(); h.Value() },
		[]string{"already deleted", "created at", "handle.New", "deleted at"},
	},
	"live": {
		func(t *testing.T) {
			h := makeHandle()
			for info := range handle.Live() {
				fmt.Println("live:", info)
			}
			h.Delete()
			for info := range handle.Live() {
				t.Error("deleted:", info)
			}
		},
		[]string{"live: 0x", ": string, created at", "makeHandle", "PASS"},
	},
	"leak": {
		func(t *testing.T) {
			earlier := makeHandle()
			t.Run("leaks", func(t *testing.T) { handle.LeakCheck(t); makeHandle(); earlier.Delete() })
			t.Run("does not", func(t *testing.T) { handle.LeakCheck(t); deleteHandle(makeHandle()) })
		},
		[]string{"handle: 1 not deleted", "string, created at", "makeHandle", "--- FAIL", "/leaks", "--- PASS", "/does_not"},
	},
	"retires": {TestLastGenerations, []string{"PASS"}},
	"forgets": {
		func(t *testing.T) {
			first := makeHandle()
			first.Delete()
			for range 1 << 17 {
				h := handle.NewHandle(nil)
				h.Delete()
			}
			if e := caught(t, first.Delete); e.Created != nil || e.Kind != handle.ErrDeleted {
				t.Errorf("the oldest deleted handle is remembered: %v", e)
			}
			if n := handle.Recorded(); n > 1<<16 {
				t.Errorf("%d records", n)
			}
		},
		[]string{"PASS"},
	},
}

//go:noinline
func makeHandle() handle.Handle { return handle.NewHandle("value") }

//go:noinline
func deleteHandle(h handle.Handle) { h.Delete() }

func TestDebugMode(t *testing.T) {
	if name := os.Getenv("HANDLE_TEST_PROGRAM"); name != "" {
		programs[name].run(t)
		return
	}
	for name, p := range programs {
		out := runProgram(t, name, "WHERRY_HANDLE_DEBUG=1")
		rest := out
		for _, want := range p.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("%s: no %q where expected in\n%s", name, want, out)
				break
			}
			rest = after
		}
	}
	// Without the debug mode there are no stacks, but a hint.
	if out := runProgram(t, "deleteTwice"); !strings.Contains(out, "already deleted") || strings.Contains(out, "created at") {
		t.Errorf("without the debug mode:\n%s", out)
	}
	if out := runProgram(t, "leak"); !strings.Contains(out, "1 not deleted; WHERRY_HANDLE_DEBUG=1 shows") {
		t.Errorf("without the debug mode:\n%s", out)
	}
}

func runProgram(t *testing.T, name string, env ...string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestDebugMode$", "-test.v")
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "WHERRY_HANDLE_DEBUG=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(append(cmd.Env, "HANDLE_TEST_PROGRAM="+name), env...)
	out, err := cmd.CombinedOutput()
	if _, panicked := err.(*exec.ExitError); err != nil && !panicked {
		t.Skip("cannot start a program for this processor: ", err)
	}
	return string(out)
}

func TestLiveFindsAll(t *testing.T) {
	handle.LeakCheck(t)
	want := map[handle.Handle]any{}
	for range handle.Live() {
		t.Fatal("handles of other tests are left")
	}
	for i := range 1000 {
		h := handle.NewHandle(i)
		if i%3 == 0 {
			h.Delete()
			continue
		}
		want[h] = i
	}
	n := 0
	for info := range handle.Live() {
		n++
		if want[info.Handle] != info.Value {
			t.Errorf("%v, want value %v", info, want[info.Handle])
		}
	}
	if n != len(want) {
		t.Errorf("%d live handles, want %d", n, len(want))
	}
	for range handle.Live() {
		break
	}
	for h := range want {
		h.Delete()
	}
}
