package tests

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// byChance are system calls that Go's runtime and the C library make now and then.
var byChance = words("clone3 futex getpid gettid madvise mprotect munmap nanosleep restart_syscall rseq rt_sigreturn sched_yield " +
	"set_robust_list sigaltstack tgkill")

// A program makes no system call, by its name, that plain Go does not make.
func TestNoOtherSystemCalls(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	needsStrace(t)
	m := testdata(t, "targets")
	m.must("go", "build", "-o", "plain", "./cgo")
	m.build("fast", "./cgo")
	plain, fast := m.systemCalls("./plain"), m.systemCalls("./fast")
	if len(plain) < 20 {
		t.Fatalf("strace shows only %q of the plain program", plain)
	}
	if more := without(without(fast, plain), byChance); len(more) > 0 {
		t.Errorf("it makes the system calls %q too", more)
	}
}

// systemCalls returns the names of a program's system calls, sorted.
func (m *module) systemCalls(program string) []string {
	m.t.Helper()
	out := filepath.Join(m.t.TempDir(), "trace")
	m.must("strace", "-f", "-q", "-o", out, program)
	text, err := os.ReadFile(out)
	if err != nil {
		m.t.Fatal(err)
	}
	names := map[string]bool{}
	for _, call := range regexp.MustCompile(`(?m)^\d+ +(\w+)\(`).FindAllStringSubmatch(string(text), -1) {
		names[call[1]] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// Coverage is that of a plain build, of tests and of a program. A profile of an accelerated
// program serves its next build.
func TestCoverageAndPGO(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "small")
	same := func(how string) {
		t.Helper()
		plain, fast := m.read("plain.cover"), m.read("fast.cover")
		if fast != plain || !strings.Contains(plain, "main.go:") {
			t.Errorf("%s: got\n%swant\n%s", how, fast, plain)
		}
	}
	m.must("go", "test", "-count=1", "-coverprofile=plain.cover", ".")
	r := m.must(wherry, "test", "-count=1", "-coverprofile=fast.cover", "-cpuprofile=cpu.pprof", ".")
	contains(t, "stderr", r.stderr, " C functions are fast")
	same("tests")
	m.must("go", "build", "-cover", "-o", "plain")
	if got := m.build("fast", "-cover").fast(); got != smallFast {
		t.Errorf("-cover: got fast functions %q, want %q", got, smallFast)
	}
	for _, program := range []string{"plain", "fast"} {
		if err := os.Mkdir(m.path(program+".counts"), 0o777); err != nil {
			t.Fatal(err)
		}
		m.env = []string{"GOCOVERDIR=" + m.path(program+".counts")}
		m.must("./" + program)
		m.must("go", "tool", "covdata", "textfmt", "-i="+program+".counts", "-o="+program+".cover")
	}
	same("a program")
	if got := m.build("guided", "-pgo=cpu.pprof").fast(); got != smallFast {
		t.Errorf("-pgo: got fast functions %q, want %q", got, smallFast)
	}
	if got := m.must("./guided").stdout; got != "3 42\n" {
		t.Errorf("-pgo: got output %q", got)
	}
}

// A process that a filter of its own ends at rt_sigaction is ended when C first waits, since
// wherry looks whether its handler still is there. A filter that refuses does no harm.
func TestFilterOfHandlers(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "interposed/filtered")
	text := m.read("main.go")
	const kills = "SECCOMP_RET_KILL_PROCESS"
	ends := strings.NewReplacer("SYS_clock_gettime", "SYS_rt_sigaction", "return n;", "usleep(1);\n\treturn n;").Replace(text)
	for _, filter := range []struct {
		action string
		status int
	}{{kills, -1}, {"(SECCOMP_RET_ERRNO | 1)", 0}} {
		m.write("main.go", strings.Replace(ends, kills, filter.action, 1))
		m.must("go", "build", "-o", "plain")
		m.build("fast")
		plain, fast := m.must("./plain"), m.run("./fast")
		if fast.status != filter.status || fast.status == 0 && fast.stdout != plain.stdout {
			t.Errorf("%s: exit status %d, want %d\n%s%s", filter.action, fast.status, filter.status, fast.stdout, fast.stderr)
		}
	}
}

// A filter that is there from the start refuses what the runtime needs to send signals: C that
// runs until Go says stop is called through cgo.
func TestSignalsAreRefused(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := testdata(t, "targets")
	m.must("gcc", "-o", "refuse", "refuse.c")
	m.build("fast", "./cgo")
	want := m.must("./fast").stdout
	m.env = append(m.env, "WHERRY_VERBOSE=1")
	for _, call := range words("tgkill gettid process") {
		r := m.run("timeout", "-s", "KILL", "20", "./refuse", call, "./fast")
		contains(t, call, r.stderr, "wherry: calls go through cgo", ": Go's runtime may not send signals")
		if r.status != 0 || r.stdout != want {
			t.Errorf("%s: exit status %d, output\n%swant\n%s", call, r.status, r.stdout, want)
		}
	}
}
