package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/wherrygo/wherry/internal/kept"
)

// Whatever a kept object's file has in it, and whatever a compiler has said, only an outcome
// that was kept is used, and only the object is written.
func FuzzOutcome(f *testing.F) {
	f.Add([]byte("a.c:1: warning: \x00object\x00"), []byte("\x7fELF"), []byte("false 0\n\x7fELF"))
	f.Add([]byte("a.c:1: error: \x00failed\x00"), []byte(nil), []byte("true 7\nmessage"))
	f.Add([]byte(nil), []byte("\x00object\x00"), []byte("false -1\nx"))
	f.Add([]byte("1\n"), []byte("x"), []byte("false 4294967296\nx"))
	dir := f.TempDir()
	folder, err := kept.Within(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(folder.Close)
	f.Fuzz(func(t *testing.T, messages, object, text []byte) {
		for _, failed := range []bool{false, true} {
			o := outcome{messages, object, failed}
			got, ok := parseOutcome(o.text())
			if ok != (failed == (len(object) == 0)) {
				t.Fatalf("%v of %+v", ok, o)
			}
			if ok && (!bytes.Equal(got.messages, messages) || !bytes.Equal(got.object, object) || got.failed != failed) {
				t.Fatalf("got %+v, want %+v", got, o)
			}
		}
		out := filepath.Join(t.TempDir(), "out.o")
		c := &compilation{kept: folder, key: "object-1", out: out}
		want, ok := parseOutcome(text)
		if len(want.messages) > 0 {
			return // they would be written to standard error
		}
		folder.Put(c.key, text)
		done, exit := c.recall()
		if done != ok || (exit != 0) != (ok && want.failed) {
			t.Fatalf("%q: got %v, %d", text, done, exit)
		}
		written, err := os.ReadFile(out)
		if (err == nil) != (ok && !want.failed) || !bytes.Equal(written, want.object) {
			t.Fatalf("%q: wrote %q, %v", text, written, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 2 { // the entry, and when the folder was trimmed
			t.Fatalf("got %v, %v", files, err)
		}
		// As it lies there it is not what was kept.
		if err := os.WriteFile(filepath.Join(dir, c.key), text, 0o600); err != nil {
			t.Fatal(err)
		}
		if done, _ := c.recall(); done {
			t.Fatalf("%q: used without a checksum", text)
		}
	})
}
