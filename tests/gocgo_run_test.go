package tests

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A gocgo is a copy of Go's own tests of cgo. They are a module of their own, or
// wherry would take them for a part of the standard library; what they import of Go's
// internal packages is replaced by what they need of it.
type gocgo struct {
	dir       string
	bin       string // has Go's go command
	wherryBin string // has one that builds by wherry
	env       []string
	log       string // what wherry said
}

var gocgoImports = strings.NewReplacer(`"cmd/cgo/internal/`, `"gocgo.test/`, `"internal/runtime/sys"`, `"gocgo.test/sys"`,
	`"internal/testenv"`, `"gocgo.test/testenv"`, `"internal/asan"`, `"gocgo.test/asan"`, `"cmd/internal/quoted"`, `"gocgo.test/quoted"`)

// newGocgo copies the tests of the Go that env asks for.
func newGocgo(t *testing.T, env string) *gocgo {
	t.Helper()
	cmd := exec.Command("go", "env", "GOROOT")
	cmd.Env = append(os.Environ(), env)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	root, tmp := strings.TrimSpace(string(out)), t.TempDir()
	source := filepath.Join(root, "src", "cmd")
	if _, err := os.Stat(filepath.Join(source, "cgo", "internal", "test")); err != nil {
		t.Skipf("this Go comes without its tests of cgo: %v", err)
	}
	g := &gocgo{dir: filepath.Join(tmp, "gocgo"), bin: filepath.Join(root, "bin"), wherryBin: filepath.Join(tmp, "gocgo", "bin"),
		log: filepath.Join(tmp, "log")}
	// The tests set GOPATH, where the go command would look for another toolchain.
	g.env = append(os.Environ(), "GOTOOLCHAIN=local", "GOROOT="+root, "GOWORK=off", "GOFLAGS=", "WHERRY=", "WHERRY_DEFAULT=",
		"GOCGO_BIN="+g.bin, "GOCGO_WHERRY="+wherry, "GOCGO_LOG="+g.log)
	if err := os.CopyFS(g.dir, os.DirFS("testdata/gocgo")); err != nil {
		t.Fatal(err)
	}
	folders := []string{"internal/quoted", "cgo/internal/cgotest"} // which the tests import
	for _, p := range gocgoPackages {
		folders = append(folders, "cgo/internal/"+p.name)
	}
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(source), folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(source, path))
			if err != nil {
				return err
			}
			_, path, _ = strings.Cut(path, "internal/")
			own := gocgoImports.Replace(string(text))
			if os.Getenv("WHERRY_GOCGO") != "all" { // test18146, 8 s with each go command
				own = strings.Replace(own, "attempts := 1000\n", "attempts := 100\n", 1)
			}
			path = filepath.Join(g.dir, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return err
			}
			return os.WriteFile(path, []byte(own), 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// run runs a program that finds a folder's go command, and returns all that it prints.
func (g *gocgo) run(bin, dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(g.env, "PATH="+bin+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}
