//go:build libuv && cgo

package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/event"
)

// What libuv's threads post is what Go finds by itself.
func TestSums(t *testing.T) {
	dir := t.TempDir()
	want := map[string]file{}
	for i := range 1000 { // more than the queue takes
		name := fmt.Sprintf("file%d", i)
		text := strings.Repeat(name, i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		h.Write([]byte(text))
		want[name] = file{name, uint64(len(text)), h.Sum64(), false}
	}
	ticks, err := sums(t.Context(), dir, func(f file) {
		if want[f.name] != f {
			t.Errorf("got %+v, want %+v", f, want[f.name])
		}
		delete(want, f.name)
	})
	if err != nil || len(want) != 0 || ticks == 0 {
		t.Errorf("%v, %d files did not come, %d ticks", err, len(want), ticks)
	}
}

func TestMissingDirectory(t *testing.T) {
	_, err := sums(t.Context(), "/does/not/exist", func(file) {})
	if err == nil || !strings.Contains(err.Error(), "/does/not/exist: no such file") {
		t.Errorf("got %v", err)
	}
}

// A receiver that leaves does not leave threads waiting.
func TestLeaving(t *testing.T) {
	dir := t.TempDir()
	for i := range 600 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := sums(ctx, dir, func(file) { cancel(); time.Sleep(time.Millisecond) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The copy of the header is that of the package.
func TestHeaderIsCurrent(t *testing.T) {
	text, err := os.ReadFile("wherry_event.h")
	if err != nil || string(text) != event.Header {
		t.Errorf("%v; go generate ./uv writes the current one", err)
	}
}
