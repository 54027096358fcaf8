package temporary

import (
	"os"
	"path/filepath"
	"testing"
)

// A folder is there until it is removed, or until the end.
func TestFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	one, err := Folder("one-")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Folder("two-")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(two, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	Remove(one)
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 1 || left[0].Name() != filepath.Base(two) {
		t.Errorf("one is removed: %v are left", left)
	}
	End()
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("at the end %v are left", left)
	}
	if UntilEnd().Err() == nil {
		t.Error("after the end commands may go on")
	}
	if dir, err := Folder("three-"); err == nil {
		t.Errorf("after the end there is %s", dir)
	}
}
