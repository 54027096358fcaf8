package accel

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/wherrygo/wherry/internal/kept"
)

// What was read is taken again as long as nothing has changed that it follows from.
func TestAnswersAreKept(t *testing.T) {
	dir := t.TempDir()
	compile := func(name, text string, flags ...string) string {
		t.Helper()
		source, library := filepath.Join(dir, name+".c"), filepath.Join(dir, name+".so")
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"-shared", "-fPIC", "-O2", "-Wl,--build-id=sha1", "-Wl,-rpath," + dir, "-o", library, source}, flags...)
		if output, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return library
	}
	needed := compile("needed", "int g(int x) { return x; }")
	linked := compile("linked", "int g(int); int f(int x) { return g(x); }", needed)
	c := &Config{GoCache: t.TempDir(), Wherry: "a"}
	c.dir = dir
	var elsewhere []string
	loops := func(want bool) {
		t.Helper()
		opened, err := openCode(linked, elsewhere, c.Unseen, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.answersOf(opened, elsewhere, []string{"f"})
		if err != nil || len(a.Functions) != 1 || a.Functions[0].Loops != want || len(a.Functions[0].Files) == 0 && len(elsewhere) == 0 {
			t.Errorf("got %+v, %v, want that it loops: %v", a, err, want)
		}
	}
	// mark changes what is kept, to see where it comes from.
	mark := func() {
		t.Helper()
		opened, err := openCode(linked, elsewhere, c.Unseen, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		entry, err := c.answersEntry(opened, elsewhere, []string{"f"})
		if err != nil {
			t.Fatal(err)
		}
		folder, err := kept.Open(c.GoCache)
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		if _, ok := folder.Get(entry); !ok {
			t.Error("nothing is kept")
		}
		folder.Put(entry, []byte(`{"functions": [{"Loops": true, "Files": [{"Path": "kept"}]}]}`))
	}
	loops(false)
	mark()
	loops(true)
	c.Again = true
	loops(false)
	c.Again = false
	mark()
	compile("needed", "int g(int x) { return x + 1; }")
	loops(false)
	mark()
	compile("linked", "int g(int); int f(int x) { return g(x) + 1; }", needed)
	loops(false)
	mark()
	c.Wherry = "b"
	loops(false)
	mark()
	c.Unseen = map[string]bool{"poll": false}
	loops(false)
	mark()
	elsewhere = []string{"g"}
	loops(false)
}
