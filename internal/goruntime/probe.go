package goruntime

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/kept"
	"github.com/wherrygo/wherry/internal/temporary"
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

// Offsets returns the runtime offsets of the toolchain. The first time, and
// again when that is asked for, it builds an empty program and reads its debug
// information (about a second); after that the answer is kept in folder.
func (t Toolchain) Offsets(folder *kept.Folder, again bool) (Offsets, error) {
	key, known := t.key()
	if !known {
		return t.probe()
	}
	if text, ok := folder.Get(key); ok && !again {
		if offsets, ok := parseOffsets(text); ok {
			return offsets, nil
		}
	}
	offsets, err := t.probe()
	if err != nil {
		return offsets, err
	}
	text, err := json.Marshal(offsets)
	if err == nil {
		folder.Put(key, text)
	}
	return offsets, err
}

// parseOffsets reads what was kept.
func parseOffsets(text []byte) (offsets Offsets, ok bool) {
	return offsets, json.Unmarshal(text, &offsets) == nil && offsets.plausible()
}

// key changes whenever the runtime may have: with the toolchain's name and
// settings, the list, the build ID of its compiler, the text of the files that declare
// the types, and the sizes and times of all others of the runtime, which tell
// a locally patched GOROOT from the released one. Without these nothing is
// known of the runtime.
func (t Toolchain) key() (key string, known bool) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q %q %q %q\n", listText, t.Version, t.Root, t.OS, t.Arch, t.Experiment, t.Tags)
	compiler, err := elf.Open(filepath.Join(t.ToolDir, "compile"))
	if err != nil {
		return "", false
	}
	defer compiler.Close()
	section := compiler.Section(".note.go.buildid")
	if section == nil {
		return "", false
	}
	note, err := section.Data()
	if err != nil {
		return "", false
	}
	hash.Write(note)
	for _, dir := range runtimeFolders {
		path := filepath.Join(t.Root, "src", dir)
		folder, err := os.Open(path)
		if err != nil {
			continue // not in this version
		}
		names, err := folder.Readdirnames(-1) // each build does this: os.ReadDir takes longer
		folder.Close()
		names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, ".go") || isElsewhere(name) })
		slices.Sort(names)
		var text []byte
		for _, name := range names {
			info, failed := os.Stat(path + "/" + name)
			if failed != nil {
				return "", false
			}
			text = append(strconv.AppendQuote(text, name), ' ')
			text = append(strconv.AppendInt(text, info.Size(), 10), ' ')
			text = append(strconv.AppendInt(text, info.ModTime().UnixNano(), 10), '\n')
		}
		if err != nil {
			return "", false
		}
		fmt.Fprintf(hash, "%q %q\n", dir, text)
	}
	for _, name := range typeFiles {
		text, err := os.ReadFile(filepath.Join(t.Root, "src", name))
		if err != nil {
			return "", false
		}
		hash.Write(text)
	}
	return "offsets-" + hex.EncodeToString(hash.Sum(nil)), true
}

// typeFiles declare the types whose fields runtime.list has, and constants.
var typeFiles = []string{"runtime/runtime1.go", "runtime/runtime2.go", "runtime/mheap.go", "runtime/symtab.go",
	"internal/abi/type.go", "internal/abi/symtab.go"}

// isElsewhere reports by a file's name that no build for a supported system compiles it.
func isElsewhere(name string) bool {
	const others = " test aix android darwin dragonfly freebsd illumos ios js netbsd openbsd plan9 solaris wasip1 windows" +
		" 386 arm loong64 mips mipsle mips64 mips64le mips64x mipsx ppc64 ppc64le ppc64x riscv64 s390x wasm "
	name = strings.TrimSuffix(name, ".go")
	for range 2 {
		i := strings.LastIndexByte(name, '_')
		if i < 0 {
			return false
		}
		if strings.Contains(others, " "+name[i+1:]+" ") {
			return true
		}
		name = name[:i]
	}
	return false
}

// runtimeFolders have these, and the types of which they consist.
var runtimeFolders = []string{"runtime", "internal/abi", "internal/chacha8rand", "internal/cpu", "internal/goarch",
	"internal/profilerecord", "internal/runtime/atomic", "internal/runtime/gc", "internal/runtime/maps", "internal/runtime/sys"}

func (t Toolchain) probe() (Offsets, error) {
	dir, err := temporary.Folder("wherry-probe-")
	if err != nil {
		return nil, fmt.Errorf("goruntime: %w", err)
	}
	defer temporary.Remove(dir)
	source, program := filepath.Join(dir, "probe.go"), filepath.Join(dir, "probe")
	if err := os.WriteFile(source, []byte(probeSource), 0o666); err != nil {
		return nil, fmt.Errorf("goruntime: %w", err)
	}
	// The go command of that very GOROOT: what "go" means may depend on go.mod.
	cmd := exec.CommandContext(temporary.UntilEnd(), filepath.Join(t.Root, "bin", "go"), "build", "-buildvcs=false", "-tags="+t.Tags,
		"-o", program, source)
	cmd.Dir = dir
	// GOFLAGS may strip the debug information.
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch,
		"GOEXPERIMENT="+t.Experiment, "GOROOT="+t.Root, "GOTOOLCHAIN=local",
		"GOTMPDIR="+dir)
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("goruntime: the go command does not build the program that shows the runtime's offsets (%w): %s", err,
			strings.TrimSpace(string(output)))
	}
	return ReadOffsets(program)
}
