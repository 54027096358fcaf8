// Builds measures the processor time of go build and wherry build: of a package with 24 C files
// of 20 functions each, in interleaved rounds, in which each program that was built must print the
// right sum. Usage, in folder lab:
//
//	go run ./builds -wherry ../bin/wherry -rounds 5 >runs/DATE/builds.txt
//
// The lines are those of a benchmark, way=go and way=wherry; script/bench makes them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// A way is a command that builds, and its build caches.
type way struct {
	name    string
	command string
	program string
	warm    string // a cache that has all
	std     string // one that has the standard library, as this command builds it
}

// A row is a case that is measured. prepare changes the module, or not, and returns the cache to build with.
type row struct {
	name    string
	prepare func(m *module, w *way) (cache string, err error)
}

var rows = []row{
	{"Nothing", func(m *module, w *way) (string, error) { return w.warm, m.catchUp(w) }},
	{"Line", func(m *module, w *way) (string, error) { return w.warm, errors.Join(m.catchUp(w), m.changeGo()) }},
	{"CFile", func(m *module, w *way) (string, error) { return w.warm, errors.Join(m.catchUp(w), m.changeC()) }},
	// The folder in which wherry keeps objects is there, as where CI keeps it; go has none.
	{"Kept", func(m *module, w *way) (string, error) {
		cache, err := m.copied(w.std)
		folder := filepath.Join("00", "wherry")
		if _, none := os.Stat(filepath.Join(w.warm, folder)); err == nil && none == nil {
			err = errors.Join(os.RemoveAll(filepath.Join(cache, folder)), copyFolder(filepath.Join(w.warm, folder), filepath.Join(cache, folder)))
		}
		return cache, err
	}},
	// Of what wherry keeps there is only what it knows of this Go and this compiler.
	{"Cold", func(m *module, w *way) (string, error) {
		cache, err := m.copied(w.std)
		for _, kind := range []string{"own-*", "object-*", "direct-*", "packages-*"} {
			files, _ := filepath.Glob(filepath.Join(cache, "00", "wherry", kind))
			for _, file := range files {
				os.Remove(file)
			}
		}
		return cache, err
	}},
	// The first build by wherry on a machine on which go has built the standard library.
	{"First", func(m *module, w *way) (string, error) { return m.copied(m.goStd) }},
}

func main() {
	wherry := flag.String("wherry", "wherry", "the `command` wherry")
	rounds := flag.Int("rounds", 5, "how often each case is measured")
	flag.Parse()
	if err := measure(*wherry, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "builds:", err)
		os.Exit(1)
	}
}

func measure(wherry string, rounds int) error {
	wherry, err := exec.LookPath(wherry)
	if err == nil {
		wherry, err = filepath.Abs(wherry)
	}
	if err != nil {
		return fmt.Errorf("%w; go build -C cmd/wherry -o ../../bin/wherry . makes one", err)
	}
	dir, err := os.MkdirTemp("", "builds-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	same := filepath.Join(dir, "wherry") // also if the command is built anew meanwhile
	if output, err := exec.Command("cp", wherry, same).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	m, err := newModule(filepath.Join(dir, "module"))
	if err != nil {
		return err
	}
	var ways []*way
	for _, w := range []*way{{name: "go", command: "go"}, {name: "wherry", command: same}} {
		w.warm, w.std, w.program = filepath.Join(dir, w.name+"-warm"), filepath.Join(dir, w.name+"-std"), filepath.Join(dir, w.name+"-program")
		if _, err := m.build(w, w.std, "std"); err != nil {
			return err
		}
		if err := copyFolder(w.std, w.warm); err != nil {
			return err
		}
		for range 2 {
			if _, err := m.build(w, w.warm, "."); err != nil {
				return err
			}
		}
		ways = append(ways, w)
	}
	m.goStd = ways[0].std
	fmt.Printf("go: %s\n", runtime.Version())
	for i := range rounds {
		for _, row := range rows {
			for j := range ways {
				if err := m.measure(row, ways[(i+j)%len(ways)]); err != nil {
					return fmt.Errorf("%s: %w", row.name, err)
				}
			}
		}
	}
	return nil
}

func (m *module) measure(row row, w *way) error {
	cache, err := row.prepare(m, w)
	if err != nil {
		return err
	}
	if cache != w.warm {
		defer os.RemoveAll(cache)
		os.Remove(w.program) // else it is up to date
	}
	began := time.Now()
	used, err := m.build(w, cache, ".")
	elapsed := time.Since(began)
	if err != nil {
		return err
	}
	if printed, err := exec.Command(w.program).CombinedOutput(); err != nil || string(printed) != m.prints() {
		return fmt.Errorf("%s's program prints %q, want %q (%v)", w.name, printed, m.prints(), err)
	}
	fmt.Printf("Benchmark%s/way=%s 1 %.4f cpu-sec/op %.4f sec/op\n", row.name, w.name, used.Seconds(), elapsed.Seconds())
	return nil
}

// catchUp builds what has changed for the other way, and for other caches.
func (m *module) catchUp(w *way) error {
	_, err := m.build(w, w.warm, ".")
	return err
}

// build builds a package, and returns the processor time of all processes.
func (m *module) build(w *way, cache, pkg string) (time.Duration, error) {
	cmd := exec.Command(w.command, "build", "-o", w.program, pkg)
	if pkg == "std" {
		cmd.Args = []string{w.command, "build", pkg}
	}
	cmd.Dir, cmd.Env = m.dir, append(os.Environ(), "GOCACHE="+cache, "CGO_ENABLED=1")
	if output, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s build %s: %w\n%s", w.name, pkg, err, output)
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage) // with the children it has waited for
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), nil
}

// copyFolder copies a folder with its times, to which build caches look.
func copyFolder(from, to string) error {
	if output, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
}
