package tests

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A trace is what strace saw of a command and of all that it started.
type trace struct {
	calls    []systemCall
	programs []string // that were started
	writes   []string // paths that were made, written, renamed or removed
	dir      string   // of the command
}

// A systemCall succeeded, or is an execve that may have failed.
type systemCall struct {
	process string // the file name of the program that made it
	text    string
}

// What strace is told to show.
const (
	tracedCalls = "execve,socket,connect,?open,openat,?creat,?mkdir,mkdirat,?unlink,unlinkat,?rmdir,?rename,?renameat,renameat2," +
		"?link,linkat,?symlink,symlinkat,truncate,?chmod,fchmodat"
	tracedSignals = ",rt_sigaction,write"
)

var (
	straceFlags = []string{"-f", "-y", "-q", "--seccomp-bpf", "--decode-pids=comm", "-s", "4000"}

	traceLine  = regexp.MustCompile(`^(\d+)(?:<(.*?)>)? +(.*)$`)
	traceExec  = regexp.MustCompile(`^execve\("([^"]*)"`)
	traceWhere = regexp.MustCompile(`^(open|openat|creat|mkdir|mkdirat|unlink|unlinkat|rmdir|rename|renameat|` +
		`renameat2|link|linkat|symlink|symlinkat|truncate|chmod|fchmodat)\((?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"(.*)`)
	traceMade  = regexp.MustCompile(`"([^"]*)"\)`)
	traceWrite = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`)
	superseded = regexp.MustCompile(`^\+\+\+ superseded by execve in pid (\d+)`)
	resumed    = regexp.MustCompile(`^<\.\.\. \w+ resumed>`)
)

// needsStrace skips a test where strace cannot watch.
func needsStrace(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("strace", append(slices.Clone(straceFlags), "-o", os.DevNull, "true")...).CombinedOutput(); err != nil {
		t.Skipf("strace cannot run here (Debian: strace): %v %s", err, out)
	}
}

// traced runs a command that has to succeed.
func (m *module) traced(calls, name string, args ...string) trace {
	m.t.Helper()
	out := filepath.Join(m.t.TempDir(), "trace")
	m.must("strace", slices.Concat(straceFlags, []string{"-o", out, "-e", "trace=" + calls, name}, args)...)
	text, err := os.ReadFile(out)
	if err != nil {
		m.t.Fatal(err)
	}
	r := trace{dir: m.dir}
	begun := map[string]string{} // calls that others interrupted, by thread
	// strace names a process when it first sees it, and not after execve.
	names := map[string]string{}
	for line := range strings.Lines(string(text)) {
		parts := traceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if parts == nil {
			m.t.Fatalf("strace writes %q", line)
		}
		thread, process, text := parts[1], parts[2], parts[3]
		if name, ok := names[thread]; ok {
			process = name
		}
		if by := superseded.FindStringSubmatch(text); by != nil {
			names[thread] = names[by[1]]
			continue
		}
		if strings.HasPrefix(text, "+++") {
			delete(names, thread)
			continue
		}
		if e := traceExec.FindStringSubmatch(text); e != nil && !strings.Contains(text, " = -1 ") {
			r.programs = append(r.programs, e[1])
			names[thread] = filepath.Base(e[1])
		} else if head, ok := strings.CutSuffix(text, " <unfinished ...>"); ok {
			begun[thread] = head
			continue
		} else if again := resumed.FindString(text); again != "" {
			text = begun[thread] + strings.TrimPrefix(text, again)
		}
		if strings.Contains(text, " = -1 ") {
			continue
		}
		call := systemCall{process, text}
		r.calls = append(r.calls, call)
		if path, writes := r.path(call); path != "" && writes {
			r.writes = append(r.writes, path)
		}
	}
	if len(r.programs) == 0 {
		m.t.Fatalf("strace saw no program:\n%.500s", text)
	}
	return r
}

// path returns the file that a call opened or changed.
func (r trace) path(call systemCall) (path string, writes bool) {
	w := traceWhere.FindStringSubmatch(call.text)
	if w == nil {
		return "", false
	}
	path = w[3]
	if made := traceMade.FindStringSubmatch(w[4]); strings.HasPrefix(w[1], "symlink") && made != nil {
		path = made[1] // behind what it leads to
	}
	if !filepath.IsAbs(path) {
		dir := w[2]
		if dir == "" {
			dir = r.dir
		}
		path = filepath.Join(dir, path)
	}
	return filepath.Clean(path), !strings.HasPrefix(w[1], "open") || traceWrite.MatchString(w[4])
}

// reads lists what a program opened to read.
func (r trace) reads(process string) []string {
	paths := map[string]bool{}
	for _, call := range r.calls {
		if path, writes := r.path(call); path != "" && !writes && call.process == process {
			paths[path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// noNetwork looks for sockets of any kind.
func (r trace) noNetwork(t *testing.T) {
	t.Helper()
	for _, call := range r.calls {
		if strings.HasPrefix(call.text, "socket(") || strings.HasPrefix(call.text, "connect(") {
			t.Errorf("a connection of %s: %s", call.process, call.text)
		}
	}
}

// writesOnly complains of writes outside of folders and files.
func (r trace) writesOnly(t *testing.T, allowed ...string) {
	t.Helper()
	for _, path := range r.writes {
		if path != os.DevNull && path != "/dev/tty" && !within(path, allowed) {
			t.Errorf("written: %s", path)
		}
	}
}

// within reports whether a path is one of some files and folders, or in one.
func within(path string, places []string) bool {
	return slices.ContainsFunc(places, func(place string) bool { return path == place || strings.HasPrefix(path, place+"/") })
}
