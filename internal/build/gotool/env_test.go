package gotool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The flags of cgo's are those that the go command uses, wherever they stand.
func TestSettings(t *testing.T) {
	check := func(what string) {
		t.Helper()
		env, err := ReadEnv("")
		if err != nil {
			t.Fatal(err)
		}
		output, err := run("", "env", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_LDFLAGS")
		if got := env.CGO_CFLAGS + "\n" + env.CGO_CPPFLAGS + "\n" + env.CGO_LDFLAGS + "\n"; err != nil || got != string(output) {
			t.Errorf("%s: got %q, go env says %q, %v", what, got, output, err)
		}
	}
	for _, name := range []string{"CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_LDFLAGS"} {
		t.Setenv(name, "")
	}
	t.Setenv("GOENV", "off")
	check("by default")
	file := filepath.Join(t.TempDir(), "env")
	lines := []string{"# CGO_LDFLAGS=-comment", "CGO_CFLAGS=-O1", "CGO_CFLAGS=-O3 -g", "CGO_CPPFLAGS=-DX=1", ""}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOENV", file)
	check("of go env -w")
	t.Setenv("CGO_CFLAGS", "-Os")
	check("of the environment")
}
