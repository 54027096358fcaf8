package kept

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// opened is a folder of its own, with what was thrown away.
func opened(t *testing.T) (f *Folder, thrown *[]string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("nothing is kept on " + runtime.GOOS)
	}
	f, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	thrown = new([]string)
	f.Damaged = func(file string, err error) { *thrown = append(*thrown, filepath.Base(file)+": "+err.Error()) }
	return f, thrown
}

// An entry comes back as it was written, or not at all.
func TestDamage(t *testing.T) {
	f, thrown := opened(t)
	content := bytes.Repeat([]byte("content\n"), 1000)
	f.Put("entry", content)
	if got, ok := f.Get("entry"); !ok || !bytes.Equal(got, content) || len(*thrown) > 0 {
		t.Fatalf("got %d bytes, %v, thrown away %v", len(got), ok, *thrown)
	}
	file := filepath.Join(f.Path, "entry")
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(written)
	flipped[len(flipped)/2] ^= 1
	for what, text := range map[string][]byte{
		"wrong checksum":       flipped,
		"7999 bytes where its": written[:len(written)-1],
		"8001 bytes where its": append(bytes.Clone(written), 0),
		"no first line":        nil,
		" no first line":       written[1:],
	} {
		*thrown = nil
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := f.Get("entry"); ok || len(*thrown) != 1 || !strings.Contains((*thrown)[0], "entry: "+strings.TrimSpace(what)) {
			t.Errorf("%s: got %d bytes, %v, thrown away %v", what, len(got), ok, *thrown)
		}
		if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the entry is still there: %v", what, err)
		}
	}
	// What is another entry's is wrong too.
	f.Put("entry", content)
	if err := os.Rename(file, filepath.Join(f.Path, "other")); err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Get("other"); ok {
		t.Error("an entry was taken for another")
	}
}

// Who reads while others write gets one of the entries, whole.
func TestWhole(t *testing.T) {
	f, thrown := opened(t)
	var entries [2][]byte
	for i := range entries {
		entries[i] = bytes.Repeat([]byte{byte('a' + i)}, 1<<20)
	}
	f.Put("entry", entries[0])
	done := make(chan bool)
	go func() {
		for i := range 100 {
			f.Put("entry", entries[i%2])
		}
		close(done)
	}()
	for reads := 0; ; reads++ {
		content, ok := f.Get("entry")
		if !ok || !bytes.Equal(content, entries[0]) && !bytes.Equal(content, entries[1]) {
			t.Fatalf("read %d: got %d bytes, %v, thrown away %v", reads, len(content), ok, *thrown)
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

// What has not been used for long goes, and what killed builds left, but nothing else.
func TestTrim(t *testing.T) {
	f, _ := opened(t)
	age := func(name string, days time.Duration) {
		t.Helper()
		when := time.Now().Add(-days * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(f.Path, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"old", "used", "young"} {
		f.Put(name, []byte(name))
	}
	for _, name := range []string{"new-killed", "new-running", "killed.lock", "running.lock"} {
		if err := os.WriteFile(filepath.Join(f.Path, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"links-old", "links-used"} {
		if _, err := f.Links(folder, "/bin/true", []string{"gcc", "g++"}); err != nil {
			t.Fatal(err)
		}
		age(folder, 11)
	}
	if _, err := f.Links("links-used", "/bin/true", []string{"gcc"}); err != nil {
		t.Fatal(err)
	}
	age("old", 11)
	age("used", 11)
	age("young", 9)
	age("new-killed", 2)
	age("killed.lock", 2)
	if _, ok := f.Get("used"); !ok {
		t.Error("an entry is gone before its time")
	}
	names := func() string {
		entries, err := os.ReadDir(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, entry := range entries {
			all = append(all, entry.Name())
		}
		return strings.Join(all, " ")
	}
	before := names()
	f.Put("used", []byte("used"))
	if got := names(); got != before {
		t.Errorf("looked twice in a day: got %s, want %s", got, before)
	}
	age(trimmed, 2)
	f.Put("used", []byte("used"))
	if got, want := names(), "links-used new-running running.lock trimmed used young"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// All entries together are of a bounded size: those go whose last use is longest ago.
func TestMost(t *testing.T) {
	f, _ := opened(t)
	for i, name := range []string{"third", "first", "last", "second"} {
		f.Put(name, make([]byte, 1000))
		when := time.Now().Add(-time.Duration([]int{3, 5, 2, 4}[i]) * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(f.Path, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	if size := f.Size(); size < 4000 || size > 5000 {
		t.Errorf("four entries of 1000 bytes are %d", size)
	}
	f.most = 3500
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(f.Path, trimmed), old, old); err != nil {
		t.Fatal(err)
	}
	f.Put("new", make([]byte, 1000))
	for name, want := range map[string]bool{"first": false, "second": false, "third": true, "last": true, "new": true} {
		if _, got := f.Get(name); got != want {
			t.Errorf("%s is kept: %v, want %v", name, got, want)
		}
	}
	if size := (*Folder)(nil).Size(); size != 0 {
		t.Errorf("nothing is %d bytes", size)
	}
}

// Links lead to one file, also where another one was there.
func TestLinks(t *testing.T) {
	f, _ := opened(t)
	for _, file := range []string{"/bin/true", "/bin/true", "/bin/false"} {
		dir, err := f.Links("compilers", file, []string{"gcc", "g++"})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"gcc", "g++"} {
			if got, err := os.Readlink(filepath.Join(dir, name)); err != nil || got != file {
				t.Errorf("%s leads to %q, want %q (%v)", name, got, file, err)
			}
		}
	}
}

// A folder that another user owns or can write to, or can put another one in the place of,
// is not used; nor is a symbolic link.
func TestStrangers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("nothing is kept on " + runtime.GOOS)
	}
	const stranger = 12345
	for _, test := range []struct {
		what    string
		change  func(cache string) error
		want    string // part of the error
		asRoot  bool
		missing bool // the folder is not there before
	}{
		{what: "nothing", change: func(string) error { return nil }},
		{what: "a new one", change: func(string) error { return nil }, missing: true},
		{what: "everybody writes", change: func(c string) error { return os.Chmod(c+"/00/wherry", 0o777) }, want: "others can write to"},
		{what: "a group writes", change: func(c string) error { return os.Chmod(c+"/00/wherry", 0o770) }, want: "others can write to"},
		{what: "others read", change: func(c string) error { return os.Chmod(c+"/00/wherry", 0o755) }},
		{what: "a stranger's", change: func(c string) error { return os.Chown(c+"/00/wherry", stranger, 0) },
			want: "/00/wherry belongs to user 12345", asRoot: true},
		{what: "a stranger's folder around", change: func(c string) error { return os.Chown(c+"/00", stranger, 0) },
			want: "/00 belongs to user 12345", asRoot: true},
		{what: "a stranger's cache", change: func(c string) error { return os.Chown(c, stranger, 0) }, want: "belongs to user 12345",
			asRoot: true, missing: true},
		{what: "everybody writes around", change: func(c string) error { return os.Chmod(c+"/00", 0o777) }, want: "every user can write to"},
		{what: "everybody writes the cache", change: func(c string) error { return os.Chmod(c, 0o777) }, want: "every user can write to",
			missing: true},
		{what: "a group writes around", change: func(c string) error { return os.Chmod(c+"/00", 0o775) }},
		{what: "everybody writes own files around", change: func(c string) error { return os.Chmod(c+"/00", 0o777|os.ModeSticky) }},
		{what: "a link", change: func(c string) error {
			return errors.Join(os.Rename(c+"/00/wherry", c+"/00/other"), os.Symlink("other", c+"/00/wherry"))
		}, want: "/00/wherry is not a folder but L"},
		{what: "a link around", change: func(c string) error {
			return errors.Join(os.Rename(c+"/00", c+"/other"), os.Symlink("other", c+"/00"))
		}, want: "/00 is not a folder but L"},
		{what: "a file", change: func(c string) error {
			return errors.Join(os.Remove(c+"/00/wherry"), os.WriteFile(c+"/00/wherry", nil, 0o600))
		}, want: "/00/wherry is not a folder"},
	} {
		t.Run(test.what, func(t *testing.T) {
			if test.asRoot && os.Geteuid() != 0 {
				t.Skip("only root can give a folder to another user")
			}
			cache := t.TempDir()
			mode := os.FileMode(0o700)
			if !test.missing {
				if err := errors.Join(os.Mkdir(cache+"/00", 0o755), os.Mkdir(cache+"/00/wherry", mode)); err != nil {
					t.Fatal(err)
				}
			}
			if err := test.change(cache); err != nil {
				t.Fatal(err)
			}
			f, err := Open(cache)
			t.Cleanup(f.Close)
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v, want an error that contains %q", err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Put("entry", []byte("content"))
			if got, ok := f.Get("entry"); !ok || string(got) != "content" {
				t.Errorf("got %q, %v", got, ok)
			}
			if info, err := os.Stat(cache + "/00/wherry"); err != nil || test.missing && info.Mode().Perm() != 0o700 {
				t.Errorf("got %v, %v, want mode 0700", info.Mode(), err)
			}
		})
	}
}

// Without a cache, and where nothing may be kept, nothing is.
func TestNothing(t *testing.T) {
	for _, gocache := range []string{"", "off"} {
		f, err := Open(gocache)
		if f != nil || err != nil {
			t.Errorf("%q: got %v, %v", gocache, f, err)
		}
		f.Put("entry", []byte("content"))
		f.Lock("entry")()
		if _, ok := f.Get("entry"); ok {
			t.Errorf("%q: something is kept", gocache)
		}
	}
}

// Whatever a file has in it, only what was sealed under its name comes back.
func FuzzUnseal(f *testing.F) {
	f.Add("object-1", []byte("content"), seal("object-1", []byte("content")))
	f.Add("", []byte(nil), []byte("wherry-kept-1 0 \n"))
	f.Add("a", []byte("\n"), []byte("wherry-kept-1 +1 00\n\n"))
	f.Add("a", []byte(" 1 "), []byte("wherry-kept-1  1\x1b[31m\n "))
	f.Fuzz(func(t *testing.T, name string, content, file []byte) {
		sealed := seal(name, content)
		if got, err := unseal(name, sealed); err != nil || !bytes.Equal(got, content) {
			t.Fatalf("got %q, %v, want %q", got, err, content)
		}
		if got, err := unseal(name, file); err == nil && !bytes.Equal(seal(name, got), file) {
			t.Fatalf("%q, which was not sealed, is %q", file, got)
		} else if err != nil && strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Fatalf("the error has control characters: %q", err)
		}
		if _, err := unseal(name+"x", sealed); err == nil {
			t.Fatal("an entry was taken for another")
		}
		for at := 0; at < len(sealed); at += 1 + len(sealed)/50 {
			flipped := bytes.Clone(sealed)
			flipped[at] ^= 1 << (at % 8)
			if _, err := unseal(name, flipped); err == nil {
				t.Fatalf("byte %d of %q was changed", at, sealed)
			}
			if _, err := unseal(name, sealed[:at]); err == nil {
				t.Fatalf("%q was cut at %d", sealed, at)
			}
		}
	})
}
