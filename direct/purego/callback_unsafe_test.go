//go:build linux && (amd64 || arm64)

package purego_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"unsafe"

	"github.com/wherrygo/wherry/callback"
	"github.com/wherrygo/wherry/direct"
)

func TestQsort(t *testing.T) {
	c, err := direct.Open("libc.so.6")
	if err != nil {
		t.Fatal(err)
	}
	compare, err := callback.New(func(a, b *int32) int32 { return *a - *b })
	if err != nil {
		t.Fatal(err)
	}
	defer compare.Release()
	data := []int32{5, 3, 9, 1, -4, 7}
	qsort := direct.MustReentrant[func(data []int32, size uint, compare unsafe.Pointer)](c.MustLookup("qsort"))
	qsort(data, 4, compare.Pointer())
	if want := []int32{-4, 1, 3, 5, 7, 9}; !slices.Equal(data, want) {
		t.Errorf("got %v, want %v", data, want)
	}
}

// C that Bind calls may call back where calls are turned. Without cgo nothing turns them:
// then the process ends before Go code runs.
func TestCallbackFromDirectCall(t *testing.T) {
	if os.Getenv("WHERRY_DIRECT") != "" {
		c, _ := direct.Open("libc.so.6")
		compare, _ := callback.New(func(a, b *int32) int32 { fmt.Println("Go ran"); return *a - *b })
		qsort := direct.MustBind[func(data []int32, size uint, compare unsafe.Pointer)](c.MustLookup("qsort"))
		qsort([]int32{2, 1}, 4, compare.Pointer())
		os.Exit(0)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestCallbackFromDirectCall$")
	cmd.Env = append(os.Environ(), "WHERRY_DIRECT=1")
	output, _ := cmd.CombinedOutput()
	if got := cmd.ProcessState.ExitCode(); got != want || bytes.Contains(output, []byte("Go ran")) != (want == 0) ||
		bytes.Contains(output, []byte("SIGTRAP")) == (want == 0) {
		t.Errorf("got status %d, want %d\n%s", got, want, output)
	}
}
