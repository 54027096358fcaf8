package gotool

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/goruntime"
	"github.com/wherrygo/wherry/internal/temporary"
)

// Env is the part of `go env` that a build depends on.
type Env struct {
	GOVERSION, GOROOT, GOTOOLDIR, GOOS, GOARCH, GOEXPERIMENT                                                string
	GOMOD, GOWORK, GOFLAGS, CGO_ENABLED, CC, CXX, CGO_CFLAGS, CGO_CPPFLAGS, CGO_LDFLAGS, GO_EXTLINK_ENABLED string
	GOHOSTOS, GOHOSTARCH, GOCACHE, GOENV                                                                    string
}

// ReadEnv asks the go command in a folder ("" is the current one).
func ReadEnv(dir string) (*Env, error) {
	output, err := run(dir, "env", "-json", "GOVERSION", "GOROOT", "GOTOOLDIR", "GOOS", "GOARCH", "GOEXPERIMENT",
		"GOMOD", "GOWORK", "GOFLAGS", "CGO_ENABLED", "CC", "CXX", "GO_EXTLINK_ENABLED", "GOHOSTOS", "GOHOSTARCH", "GOCACHE", "GOENV")
	if err != nil {
		return nil, err
	}
	env := new(Env)
	if err := json.Unmarshal(output, env); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	const standard = "-O2 -g"
	env.CGO_CFLAGS = cmp.Or(env.setting("CGO_CFLAGS"), standard)
	env.CGO_CPPFLAGS = env.setting("CGO_CPPFLAGS")
	env.CGO_LDFLAGS = cmp.Or(env.setting("CGO_LDFLAGS"), standard)
	return env, nil
}

// setting looks a variable up where the go command does. Asked for flags of cgo's, go env would
// run the C compiler first.
func (e *Env) setting(name string) (value string) {
	if value := os.Getenv(name); value != "" {
		return value
	}
	for _, file := range []string{filepath.Join(e.GOROOT, "go.env"), e.GOENV} {
		if file == "off" { // GOENV's: there is none
			continue
		}
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			if text, ok := strings.CutPrefix(line, name+"="); ok {
				value = strings.TrimSuffix(text, "\n")
			}
		}
	}
	return value
}

// ErrNoGo is what to say where there is no go command.
var ErrNoGo = errors.New("the go command is not in PATH; install Go from https://go.dev/dl")

// run returns what the go command prints, and what it says when it fails.
func run(dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(temporary.UntilEnd(), "go", args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	output, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, ErrNoGo
	}
	if said := strings.TrimSpace(stderr.String()); err != nil && said != "" {
		return output, fmt.Errorf("go %s: %s", args[0], strings.TrimPrefix(said, "go: "))
	}
	if err != nil {
		return output, fmt.Errorf("go %s: %w", args[0], err)
	}
	return output, nil
}

// Toolchain describes the Go that builds, for its runtime's offsets.
func (e *Env) Toolchain(tags string) goruntime.Toolchain {
	return goruntime.Toolchain{Version: e.GOVERSION, Root: e.GOROOT, ToolDir: e.GOTOOLDIR, OS: e.GOOS, Arch: e.GOARCH,
		Experiment: e.GOEXPERIMENT, Tags: tags}
}

// ModuleDir is the folder of the main module's go.mod, or "".
func (e *Env) ModuleDir() string {
	if e.GOMOD == "" || e.GOMOD == os.DevNull {
		return ""
	}
	return filepath.Dir(e.GOMOD)
}

// PolicyDirs returns the folders whose policies count: the workspace's, and those
// of all main modules.
func (e *Env) PolicyDirs() []string {
	dirs := e.MainModules()
	if e.GOWORK != "" && e.GOWORK != "off" {
		if dir := filepath.Dir(e.GOWORK); !slices.Contains(dirs, dir) {
			dirs = append([]string{dir}, dirs...)
		}
	}
	return dirs
}

// MainModules returns the folders of the main modules: several in a workspace.
func (e *Env) MainModules() []string {
	var dirs []string
	if dir := e.ModuleDir(); dir != "" {
		dirs = append(dirs, dir)
	}
	if e.GOWORK == "" || e.GOWORK == "off" {
		return dirs
	}
	output, err := run("", "work", "edit", "-json", e.GOWORK)
	var work struct{ Use []struct{ DiskPath string } }
	if err != nil || json.Unmarshal(output, &work) != nil {
		return dirs
	}
	for _, use := range work.Use {
		dir := use.DiskPath
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(e.GOWORK), dir)
		}
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// allFlags are GOFLAGS and then the command's own, which win.
func (e *Env) allFlags(c *Command) []string {
	return append(SplitQuoted(e.GOFLAGS), c.Flags...)
}

// Flag returns the value of a flag from the command line or GOFLAGS.
func (e *Env) Flag(c *Command, name string) (string, bool) { return lastFlag(e.allFlags(c), name) }

// SplitQuoted splits words as the go command does in GOFLAGS and -toolexec:
// either quote can enclose a word. An unterminated one runs to the end; the
// go command will refuse it.
func SplitQuoted(text string) []string {
	const space = " \t\n\r"
	var words []string
	for text = strings.TrimLeft(text, space); text != ""; text = strings.TrimLeft(text, space) {
		end, skip := strings.IndexAny(text, space), 0
		if quote := text[0]; quote == '\'' || quote == '"' {
			text, skip = text[1:], 1
			end = strings.IndexByte(text, quote)
		}
		if end < 0 {
			return append(words, text)
		}
		words, text = append(words, text[:end]), text[end+skip:]
	}
	return words
}

// PlainReason says why a build must be plain, or nil.
func (e *Env) PlainReason(c *Command) error {
	flags := e.allFlags(c)
	for _, name := range []string{"race", "msan", "asan"} {
		if value, ok := lastFlag(flags, name); ok && value != "false" && value != "0" {
			return &goruntime.Unsupported{What: fmt.Sprintf("-%s watches cgo's own crossings", name)}
		}
	}
	if slices.ContainsFunc(flags, func(flag string) bool { return strings.Contains(flag, "softfloat") }) { // -gcflags may come several times
		return &goruntime.Unsupported{What: "-d=softfloat has Go pass floating-point numbers as C does not"}
	}
	if os.Getenv("WHERRY") == "off" {
		return &goruntime.Unsupported{What: "WHERRY=off"}
	}
	if err := goruntime.SupportsTarget(e.GOOS, e.GOARCH); err != nil {
		return err
	}
	if e.CGO_ENABLED != "1" {
		return &goruntime.Unsupported{What: "cgo is off (CGO_ENABLED=" + e.CGO_ENABLED + ")",
			Remedy: "set CGO_ENABLED=1 and have a C compiler in PATH"}
	}
	if err := goruntime.SupportsGo(e.GOVERSION, os.Getenv("WHERRY_UNTESTED_GO") == "1"); err != nil {
		return err
	}
	if compiler, _ := lastFlag(flags, "compiler"); compiler != "" && compiler != "gc" {
		return &goruntime.Unsupported{What: "the compiler is " + compiler + ", not gc"}
	}
	if mode, _ := lastFlag(flags, "buildmode"); mode == "plugin" || mode == "shared" {
		return &goruntime.Unsupported{What: "-buildmode=" + mode + " makes a library that other Go code calls without wherry"}
	}
	if value, ok := lastFlag(flags, "linkshared"); ok && value != "false" {
		return &goruntime.Unsupported{What: "-linkshared links with Go libraries that were built without wherry"}
	}
	if slices.Contains(e.linkerFlag(c, "linkmode"), "internal") || e.GO_EXTLINK_ENABLED == "0" {
		return &goruntime.Unsupported{What: "the internal linker cannot link wherry's calls", Remedy: "leave -linkmode at its default"}
	}
	return nil
}
