package tests

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A trace is what strace saw of a command and of all that it started.
type trace struct {
	text     string
	programs []string // that were started
	writes   []string // paths that were made, written, renamed or removed
}

var (
	traceExec  = regexp.MustCompile(`execve\("([^"]*)"`)
	traceWrite = regexp.MustCompile(`\b(open|openat|creat|mkdir|mkdirat|unlink|unlinkat|rmdir|rename|renameat|renameat2|link|linkat|symlink|symlinkat|truncate|chmod|fchmodat)\((?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"(.*)`)
	traceOpen  = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`)
	traceNet   = regexp.MustCompile(`(?:socket|connect)\([^\n]*AF_(?:INET|INET6|NETLINK|PACKET)[^\n]*`)
)

// traced runs a command that has to succeed.
func (m *module) traced(name string, args ...string) trace {
	m.t.Helper()
	out := filepath.Join(m.t.TempDir(), "trace")
	calls := "execve,socket,connect,?open,openat,?creat,?mkdir,mkdirat,?unlink,unlinkat,?rmdir,?rename,?renameat,renameat2,?link,linkat,?symlink,symlinkat,truncate,?chmod,fchmodat"
	m.must("strace", append([]string{"-f", "-y", "-qq", "--seccomp-bpf", "-s", "4000", "-o", out, "-e", "trace=" + calls, name}, args...)...)
	text, err := os.ReadFile(out)
	if err != nil {
		m.t.Fatal(err)
	}
	r := trace{text: string(text)}
	for _, line := range strings.Split(r.text, "\n") {
		if strings.Contains(line, " = -1 ") {
			continue
		}
		if e := traceExec.FindStringSubmatch(line); e != nil {
			r.programs = append(r.programs, e[1])
		}
		if w := traceWrite.FindStringSubmatch(line); w != nil && (!strings.HasPrefix(w[1], "open") || traceOpen.MatchString(w[4])) {
			path := w[3]
			if !filepath.IsAbs(path) {
				dir := w[2]
				if dir == "" {
					dir = m.dir
				}
				path = filepath.Join(dir, path)
			}
			r.writes = append(r.writes, filepath.Clean(path))
		}
	}
	if len(r.programs) == 0 {
		m.t.Fatalf("strace saw no program:\n%.500s", text)
	}
	return r
}

// noNetwork looks for sockets that reach out of this machine or ask its kernel.
func (r trace) noNetwork(t *testing.T) {
	t.Helper()
	if found := traceNet.FindString(r.text); found != "" {
		t.Errorf("a connection: %s", found)
	}
}

// writesOnly complains of writes outside of folders and files.
func (r trace) writesOnly(t *testing.T, allowed ...string) {
	t.Helper()
	for _, path := range r.writes {
		ok := path == os.DevNull || path == "/dev/tty"
		for _, a := range allowed {
			ok = ok || path == a || strings.HasPrefix(path, a+"/")
		}
		if !ok {
			t.Errorf("written: %s", path)
		}
	}
}

const security = `package main

/*
#cgo CFLAGS: -fstack-protector-all
static int twice(int x) { return 2 * x; }
extern int inGo(int);
static int back(int x) { return inGo(x); }
*/
import "C"

import "fmt"

//export inGo
func inGo(x C.int) C.int { return x + 1 }

func main() { fmt.Println(C.twice(2), C.back(3)) }
`

// What SECURITY.md says of a build: which programs it runs, where it writes, that
// it leaves nothing, opens no connection and keeps the package's flags; of package
// check, and of the program.
func TestBuildDoesWhatSecuritySays(t *testing.T) {
	needsFastPath(t)
	if out, err := exec.Command("strace", "-qq", "--seccomp-bpf", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace cannot run here (Debian: strace): %v %s", err, out)
	}
	settings := strings.Split(strings.TrimSpace(newModule(t, nil).must("go", "env", "GOROOT", "GOCACHE", "GOMODCACHE", "CC").stdout), "\n")
	goroot, gocache, gomodcache, cc := settings[0], settings[1], settings[2], settings[3]
	if filepath.Base(cc) != "gcc" {
		t.Skipf("which programs %q starts is not known here, only gcc's", cc)
	}
	m := newModule(t, map[string]string{"main.go": security, "wherry.policy": "example.com/m twice direct\nexample.com/m back reentrant\n"})
	home, temporary := t.TempDir(), filepath.Join(t.TempDir(), "temporary")
	if err := os.Mkdir(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	m.env = append(m.env, "HOME="+home, "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "TMPDIR="+temporary, "GOCACHE="+gocache, "GOMODCACHE="+gomodcache, "GOFLAGS=-buildvcs=false", "CGO_CFLAGS=-O2")
	ours := filepath.Join(home, ".cache", "wherry")
	expected := map[string]bool{filepath.Base(cc): true, "cc1": true, "as": true, "collect2": true, "ld": true, "ld.bfd": true}
	build := func(allowed ...string) trace {
		t.Helper()
		r := m.traced(wherry, "build", "-o", "program", ".")
		for _, program := range r.programs {
			switch {
			case program == wherry || strings.HasPrefix(program, goroot+"/") || strings.HasPrefix(program, gomodcache+"/golang.org/toolchain@"):
			case strings.HasPrefix(program, temporary) || strings.HasPrefix(program, m.dir) || !expected[filepath.Base(program)]:
				t.Errorf("the build ran %s", program)
			}
		}
		r.noNetwork(t)
		// Go's own tools count their use below the user's configuration.
		r.writesOnly(t, append(allowed, gocache, temporary, m.path("program"), m.path("program-go-tmp-umask"), filepath.Join(home, ".config"))...)
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("left in the temporary folder: %v %v", left, err)
		}
		files, err := os.ReadDir(m.dir)
		if err != nil || len(files) != 4 {
			t.Errorf("in the module's folder: %v %v", files, err)
		}
		return r
	}
	first := build(filepath.Join(home, ".cache"))
	if files, err := os.ReadDir(filepath.Join(home, ".cache")); err != nil || len(files) != 1 || files[0].Name() != "wherry" {
		t.Errorf("in the user's cache: %v %v, want wherry alone", files, err)
	}
	compiled := 0
	for _, line := range strings.Split(first.text, "\n") {
		if strings.Contains(line, `execve("`) && strings.Contains(line, fmt.Sprintf(`"-I", %q`, m.dir)) && strings.Contains(line, `"-c"`) {
			if compiled++; !strings.Contains(line, "-fstack-protector-all") {
				t.Errorf("compiled without the package's flag: %s", line)
			}
		}
	}
	if compiled < 2 {
		t.Errorf("saw the compiler %d times with the package's folder", compiled)
	}
	// Once for a toolchain: later the offsets are read, and nothing is written there.
	if !strings.Contains(first.text, "wherry-probe") {
		t.Error("the first build looked for no offsets")
	}
	m.write("main.go", strings.Replace(security, "C.back(3)", "C.back(4)", 1))
	if again := build(); strings.Contains(again.text, "wherry-probe") || !strings.Contains(again.text, ours) {
		t.Error("the second build looked for the runtime's offsets again, or did not read them")
	}

	program := m.traced("./program")
	program.noNetwork(t)
	program.writesOnly(t)
	if len(program.programs) != 1 {
		t.Errorf("the program runs %v", program.programs)
	}
	m.write("good.c", "int good(int x) { return 2 * x; }\n")
	m.must(cc, "-O2", "-c", "good.c")
	check := m.traced(wherry, "check", "good.o")
	check.noNetwork(t)
	check.writesOnly(t)
	if len(check.programs) != 1 {
		t.Errorf("wherry check runs %v", check.programs)
	}
}
