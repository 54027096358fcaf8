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

var gocgoStandIns = map[string]string{
	"go.mod":       "module gocgo.test\n\ngo 1.24\n",
	"asan/asan.go": "package asan\n\nconst Enabled = false\n",
	"sys/sys.go":   "package sys\n\nconst DITSupported = false\n\nfunc DITEnabled() bool { return false }\n",
	"testenv/testenv.go": `package testenv

import (
	"os"
	"os/exec"
	"testing"
)

func Builder() string                      { return "" }
func HasCGO() bool                         { return true }
func HasGoBuild() bool                     { return true }
func MustHaveBuildMode(testing.TB, string) {}
func MustHaveCGO(testing.TB)               {}
func MustHaveExec(testing.TB)              {}
func MustHaveGoBuild(testing.TB)           {}
func MustHaveGoRun(testing.TB)             {}
func SkipFlaky(t testing.TB, issue int)    { t.Skipf("flaky: go.dev/issue/%d", issue) }
func SkipIfOptimizationOff(testing.TB)     {}

func MustHaveExecPath(t testing.TB, path string) {
	if _, err := exec.LookPath(path); err != nil {
		t.Skipf("%s is not installed", path)
	}
}

func Command(_ testing.TB, name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }

func Executable(t testing.TB) string { return must(t)(os.Executable()) }
func GoToolPath(t testing.TB) string { return must(t)(exec.LookPath("go")) }

func must(t testing.TB) func(string, error) string {
	return func(path string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
}
`,
}

var gocgoImports = strings.NewReplacer(`"cmd/cgo/internal/`, `"gocgo.test/`, `"internal/runtime/sys"`, `"gocgo.test/sys"`,
	`"internal/testenv"`, `"gocgo.test/testenv"`, `"internal/asan"`, `"gocgo.test/asan"`, `"cmd/internal/quoted"`, `"gocgo.test/quoted"`)

// The go command that builds by wherry, which is to find Go's own. Tests compare what
// programs and the go command print, so what wherry says goes elsewhere.
const gocgoCommand = `#!/bin/sh
PATH=$GOCGO_BIN:$PATH
case $1 in
build | run | test | install) ;;
*) exec go "$@" ;;
esac
said=$(mktemp)
"$GOCGO_WHERRY" "$@" 2>"$said"
status=$?
grep '^wherry: ' "$said" >>"$GOCGO_LOG"
grep -v '^wherry: ' "$said" >&2
rm "$said"
exit $status
`

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
	g := &gocgo{dir: filepath.Join(tmp, "gocgo"), bin: filepath.Join(root, "bin"), wherryBin: filepath.Join(tmp, "bin"),
		log: filepath.Join(tmp, "log")}
	// The tests set GOPATH, where the go command would look for another toolchain.
	g.env = append(os.Environ(), "GOTOOLCHAIN=local", "GOROOT="+root, "GOWORK=off", "GOFLAGS=", "WHERRY=", "WHERRY_DEFAULT=",
		"GOCGO_BIN="+g.bin, "GOCGO_WHERRY="+wherry, "GOCGO_LOG="+g.log)
	write := func(path, text string, mode fs.FileMode) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(path, []byte(text), mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(g.wherryBin, "go"), gocgoCommand, 0o777)
	for name, text := range gocgoStandIns {
		write(filepath.Join(g.dir, name), text, 0o666)
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
			_, path, _ = strings.Cut(path, "internal/")
			own := gocgoImports.Replace(string(text))
			if os.Getenv("WHERRY_GOCGO") != "all" { // test18146, 8 s with each go command
				own = strings.Replace(own, "attempts := 1000\n", "attempts := 100\n", 1)
			}
			write(filepath.Join(g.dir, path), own, 0o666)
			return err
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
