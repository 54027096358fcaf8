package libc

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# a comment\n\nread blocks posix\nread blocks posix\n", "libc.list:4: read stands at libc.list:3 already"},
		{"read blocks posix\n# a comment\nreturns: abs read\n", "libc.list:3: read stands at libc.list:1 already"},
		{"returns: abs\nreturns: labs abs\n", "libc.list:2: abs stands at libc.list:1 already"},
		{"other lock: abs\nreturns: abs\n", "libc.list:2: abs stands at libc.list:1 already"},
		{"read waits posix\n", `libc.list:1: read: unknown kind "waits"`},
		{"read returns posix\n", `libc.list:1: read: unknown kind "returns"`},
		{"\nread blocks rumour\n", `libc.list:2: read: unknown source "rumour"`},
		{"read\n", `libc.list:1: want NAME KIND SOURCE, have "read"`},
		{"read blocks\n", `libc.list:1: want NAME KIND SOURCE, have "read blocks"`},
		{"sem_wait tries posix\n", "libc.list:1: sem_wait: want tries TRY SOURCE"},
		{"sem_wait tries sem_trywait posix\n", "libc.list:1: sem_wait tries sem_trywait, which is not here"},
		{"read blocks posix why\n", `libc.list:1: read: malformed "why"`},
		{"read blocks posix time\n", `libc.list:1: read: malformed "time"`},
		{"sem_wait tries sem_trywait posix cancels cancels\nreturns: sem_trywait", "libc.list:1: sem_wait: cancels stands twice"},
		{"read blocks posix busy=1\n", `libc.list:1: read: malformed "busy=1"`},
		{"sem_wait tries sem_trywait posix busy=0\nreturns: sem_trywait", `libc.list:1: sem_wait: malformed "busy=0"`},
		{"sem_wait tries sem_trywait posix busy=-\nreturns: sem_trywait", `libc.list:1: sem_wait: malformed "busy=-"`},
		{"read blocks posix amd64=2.4\n", `libc.list:1: read: malformed "amd64=2.4"`},
		{"read blocks posix i386=GLIBC_2.0\n", `libc.list:1: read: malformed "i386=GLIBC_2.0"`},
		{"read blocks posix versions versions\n", "libc.list:1: read: versions stands twice"},
		{"read blocks posix does=\n", `libc.list:1: read: malformed "does="`},
		{"read blocks posix does=io,often\n", `libc.list:1: read: malformed "often"`},
		{"read, blocks posix\n", `libc.list:1: "read," is not the name of a function`},
		{"returns: abs\nreturns: 2abs\n", `libc.list:2: "2abs" is not the name of a function`},
		{"returns lock soon: abs\n", `libc.list:1: abs: malformed "soon"`},
		{"comes back: abs\n", `libc.list:1: want returns, other or never LIBRARY before the colon, have "comes back"`},
	} {
		_, err := parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("parse(%q): %v, want %s", c.text, err, c.want)
		}
	}
}

// TestDoes holds that words about functions whose code is not read arrive.
func TestDoes(t *testing.T) {
	for _, c := range []struct {
		name, does      string
		loops, noreturn bool
	}{{"usleep", "block", false, false}, {"exit", "thread", false, true}, {"memcpy", Leaf, true, false}, {"abort", Fatal, false, true},
		{"longjmp", "jump", false, true}, {"strlen", "", false, false}} {
		if f, ok := Lookup(c.name); !ok || f.Does != c.does || f.Loops != c.loops || f.NoReturn != c.noreturn {
			t.Errorf("%s: got %+v", c.name, f)
		}
	}
	others := Others()
	if i := slices.IndexFunc(others, func(f Function) bool { return f.Name == "crosscall2" }); i < 0 || others[i].Does != "callback" {
		t.Errorf("crosscall2 is not among %v", others)
	}
	if never := Never()["libm.so.*"]; !slices.Equal(never, []string{"fwrite", "fputs"}) {
		t.Errorf("libm never calls %v", never)
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name      string
		kind      Kind
		try       string
		busy      int
		versioned bool
	}{
		{"strlen", Returns, "", 0, false},
		{"setjmp", Returns, "", 0, false},
		{"dlsym", Returns, "", 0, false},
		{"pthread_create", Returns, "", 0, false},
		{"lseek", Brief, "", 0, false},
		{"read", Blocks, "", 0, false},
		{"sched_yield", Blocks, "", 0, false},
		{"pthread_cond_wait", Blocks, "", 0, true},
		{"pthread_mutex_lock", Tries, "pthread_mutex_trylock", EBUSY, false},
		{"mtx_lock", Tries, "mtx_trylock", 1, false},
		{"sem_wait", Tries, "sem_trywait", -1, false},
		{"pthread_sigmask", Mask, "", 0, false},
		{"sigaction", Handler, "", 0, false},
		{"pthread_getattr_np", Stack, "", 0, false},
	} {
		f, ok := Lookup(c.name)
		if !ok || f.Name != c.name || f.Kind != c.kind || f.Try != c.try || f.Busy != c.busy || f.Versioned != c.versioned {
			t.Errorf("Lookup(%s): %+v, %v", c.name, f, ok)
		}
	}
	if f, ok := Lookup("crc32"); ok {
		t.Errorf("Lookup(crc32): %+v", f)
	}
	if got := Kind(9).String() + " " + Stack.String(); got != "Kind(9) stack" {
		t.Error(got)
	}
}

// TestFunctions holds that callers get a slice of their own, in order.
func TestFunctions(t *testing.T) {
	all := Functions()
	if !slices.IsSortedFunc(all, func(a, b Function) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("Functions is not sorted")
	}
	first := all[0].Name
	all[0].Name = "changed"
	if Functions()[0].Name != first {
		t.Error("a caller can change the table")
	}
}

// TestSorted keeps what stands several to a line easy to read and to merge.
func TestSorted(t *testing.T) {
	last := map[string]string{}
	for i, line := range strings.Split(text, "\n") {
		head, names, ok := strings.Cut(line, ": ")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "never") {
			continue
		}
		if len(line) > 100 {
			t.Errorf("libc.list:%d: %d characters", i+1, len(line))
		}
		for _, name := range strings.Fields(names) {
			if last[head] > name {
				t.Errorf("libc.list:%d: %s stands after %s", i+1, name, last[head])
			}
			last[head] = name
		}
	}
}

//go:embed testdata/rtsan.txt
var rtsan string

//go:embed testdata/posix.txt
var posix string

// soon are the functions that RealtimeSanitizer or POSIX lists and that are of
// the kind Returns, with the reasons.
var soon = map[string]string{
	"aligned_alloc calloc free malloc memalign posix_memalign pvalloc realloc valloc": "the allocator is hot, and waits for nothing but " +
		"itself",
	"pthread_cond_broadcast pthread_cond_signal": "wake threads and do not wait",
	"pthread_mutex_unlock pthread_rwlock_unlock": "wake threads and do not wait",
	"pthread_create":               "does not wait for the thread",
	"localtime localtime_r mktime": "read /etc/localtime once",
	"strftime wcsftime tzset":      "read /etc/localtime once",
	"catgets strerror strerror_r":  "read a catalogue at most once",
	"ctermid gethostname":          "no file is read",
}

// TestSources holds the table against lists that others have made.
func TestSources(t *testing.T) {
	excepted := map[string]bool{}
	for names := range soon {
		for _, name := range strings.Fields(names) {
			excepted[name] = true
		}
	}
	listed := map[string]bool{}
	for file, text := range map[string]string{"rtsan": rtsan, "posix": posix} {
		for place, words := range lines("testdata/"+file+".txt", text) {
			for _, name := range words {
				listed[name] = true
				f, ok := Lookup(name)
				switch {
				case !ok:
					t.Errorf("%s: %s is not in libc.list: add it with its kind", place, name)
				case f.Kind == Returns && !excepted[name]:
					t.Errorf("%s: %s returns: give it a kind in libc.list, or the reason in soon", place, name)
				case f.Kind != Returns && excepted[name]:
					t.Errorf("%s: %s is in soon, but its kind is %s", place, name, f.Kind)
				}
			}
		}
	}
	for name := range excepted {
		if !listed[name] {
			t.Errorf("%s is in soon, but in no list", name)
		}
	}
}
