package rt

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A Toolchain names the Go that builds a program, as `go env` describes it.
// Two equal toolchains have the same runtime.
type Toolchain struct {
	Version    string // GOVERSION
	Root       string // GOROOT
	ToolDir    string // GOTOOLDIR
	OS, Arch   string
	Experiment string // GOEXPERIMENT: experiments change the runtime's structs
	Tags       string // build tags can too (debuglog, faketime)
}

const probeSource = `package main

func main() {}
`

// Offsets returns the runtime offsets of the toolchain. The first time it
// builds an empty program and reads its debug information (about a second);
// after that the answer comes from a file below cacheDir, which must be a
// folder that only the user can write to, or "" for no cache.
func (t Toolchain) Offsets(cacheDir string) (Offsets, error) {
	path := filepath.Join(cacheDir, "offsets-"+t.key()+".json")
	if cacheDir != "" {
		var offsets Offsets
		if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &offsets) == nil && offsets.plausible() {
			return offsets, nil
		}
	}
	offsets, err := t.probe()
	if err != nil || cacheDir == "" {
		return offsets, err
	}
	// A cache that cannot be written costs time, not correctness.
	if text, err := json.Marshal(offsets); err == nil && os.MkdirAll(cacheDir, 0o777) == nil {
		writeAtomically(path, text)
	}
	return offsets, nil
}

// key changes whenever the runtime may have: with the toolchain's name and
// settings, and with the size and time of its compiler and runtime source,
// which tell a locally patched GOROOT from the released one.
func (t Toolchain) key() string {
	hash := sha256.New()
	fmt.Fprintf(hash, "v9 %q %q %q %q %q %q\n", t.Version, t.Root, t.OS, t.Arch, t.Experiment, t.Tags)
	for _, name := range []string{filepath.Join(t.ToolDir, "compile"), filepath.Join(t.Root, "src/runtime/runtime2.go")} {
		if info, err := os.Stat(name); err == nil {
			fmt.Fprintf(hash, "%d %d\n", info.Size(), info.ModTime().UnixNano())
		}
	}
	return hex.EncodeToString(hash.Sum(nil))[:24]
}

func (t Toolchain) probe() (Offsets, error) {
	dir, err := os.MkdirTemp("", "wherry-probe-")
	if err != nil {
		return Offsets{}, fmt.Errorf("rt: %w", err)
	}
	defer os.RemoveAll(dir)
	source, program := filepath.Join(dir, "probe.go"), filepath.Join(dir, "probe")
	if err := os.WriteFile(source, []byte(probeSource), 0o666); err != nil {
		return Offsets{}, fmt.Errorf("rt: %w", err)
	}
	// The go command of that very GOROOT: what "go" means may depend on go.mod.
	cmd := exec.Command(filepath.Join(t.Root, "bin", "go"), "build", "-buildvcs=false", "-tags="+t.Tags, "-o", program, source)
	cmd.Dir = dir
	// GOFLAGS may strip the debug information.
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch,
		"GOEXPERIMENT="+t.Experiment, "GOROOT="+t.Root, "GOTOOLCHAIN=local")
	if output, err := cmd.CombinedOutput(); err != nil {
		return Offsets{}, fmt.Errorf("rt: building a program to read the runtime's offsets from: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return ReadOffsets(program)
}

func writeAtomically(path string, text []byte) {
	file, err := os.CreateTemp(filepath.Dir(path), ".tmp-")
	if err != nil {
		return
	}
	_, err = file.Write(text)
	if err2 := file.Close(); err != nil || err2 != nil || os.Rename(file.Name(), path) != nil {
		os.Remove(file.Name())
	}
}
