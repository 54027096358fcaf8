package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// newModuleFrom makes a module of a folder's files.
func newModuleFrom(t *testing.T, folder string) *module {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[entry.Name()] = string(text)
	}
	return newModule(t, files)
}

// TestInterposed holds that legal programs cannot tell that functions of the C library
// are interposed: each ends as the plain one does.
func TestInterposed(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	for _, name := range []string{"times"} {
		for _, compiler := range []string{"gcc", "clang"} {
			t.Run(name+"/"+compiler, func(t *testing.T) {
				t.Parallel()
				if _, err := exec.LookPath(compiler); err != nil {
					t.Skipf("%s is not installed", compiler)
				}
				m := newModuleFrom(t, filepath.Join("testdata", "interposed", name))
				m.env = []string{"CC=" + compiler}
				m.must("go", "build", "-o", "plain", ".")
				m.build("fast")
				want, got := m.run("./plain"), m.run("./fast")
				if got.stdout != want.stdout || got.stderr != want.stderr || got.status != want.status || want.status != 0 {
					t.Errorf("got exit status %d and\n%s%s\nwant %d and\n%s%s", got.status, got.stdout, got.stderr, want.status, want.stdout,
						want.stderr)
				}
			})
		}
	}
}
