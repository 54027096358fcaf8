package blocking

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ names, returns, want string }{
		{"# a comment\n\nread blocks posix\nread blocks posix\n", "", "names.txt:4: read stands at names.txt:3 already"},
		{"read blocks posix\n", "# a comment\nabs read\n", "returns.txt:2: read stands at names.txt:1 already"},
		{"", "abs\nlabs abs\n", "returns.txt:2: abs stands at returns.txt:1 already"},
		{"read waits posix\n", "", `names.txt:1: read: unknown kind "waits"`},
		{"read returns posix\n", "", `names.txt:1: read: unknown kind "returns"`},
		{"\nread blocks rumour\n", "", `names.txt:2: read: unknown source "rumour"`},
		{"read\n", "", `names.txt:1: want NAME KIND SOURCE, have "read"`},
		{"read blocks\n", "", `names.txt:1: want NAME KIND SOURCE, have "read blocks"`},
		{"sem_wait tries posix\n", "", "names.txt:1: sem_wait: want tries TRY SOURCE"},
		{"sem_wait tries sem_trywait posix\n", "", "names.txt:1: sem_wait tries sem_trywait, which is in neither file"},
		{"read blocks posix why\n", "", `names.txt:1: read: malformed "why"`},
		{"read blocks posix time\n", "", `names.txt:1: read: malformed "time"`},
		{"sem_wait tries sem_trywait posix cancels cancels\n", "sem_trywait", "names.txt:1: sem_wait: cancels stands twice"},
		{"read blocks posix busy=1\n", "", `names.txt:1: read: malformed "busy=1"`},
		{"sem_wait tries sem_trywait posix busy=0\n", "sem_trywait", `names.txt:1: sem_wait: malformed "busy=0"`},
		{"sem_wait tries sem_trywait posix busy=-\n", "sem_trywait", `names.txt:1: sem_wait: malformed "busy=-"`},
		{"read blocks posix amd64=2.4\n", "", `names.txt:1: read: malformed "amd64=2.4"`},
		{"read blocks posix i386=GLIBC_2.0\n", "", `names.txt:1: read: malformed "i386=GLIBC_2.0"`},
		{"read blocks posix amd64=GLIBC_2.4 amd64=GLIBC_2.5\n", "", "names.txt:1: read: amd64 stands twice"},
		{"read, blocks posix\n", "", `names.txt:1: "read," is not the name of a function`},
		{"", "abs\n2abs\n", `returns.txt:2: "2abs" is not the name of a function`},
	} {
		_, err := parse(c.names, c.returns)
		if err == nil || err.Error() != c.want {
			t.Errorf("parse(%q, %q): %v, want %s", c.names, c.returns, err, c.want)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, c := range []struct {
		name    string
		kind    Kind
		try     string
		busy    int
		version string
	}{
		{"strlen", Returns, "", 0, ""},
		{"setjmp", Returns, "", 0, ""},
		{"dlsym", Returns, "", 0, ""},
		{"pthread_create", Returns, "", 0, ""},
		{"lseek", Brief, "", 0, ""},
		{"read", Blocks, "", 0, ""},
		{"sched_yield", Blocks, "", 0, ""},
		{"pthread_cond_wait", Blocks, "", 0, "GLIBC_2.3.2"},
		{"pthread_mutex_lock", Tries, "pthread_mutex_trylock", EBUSY, ""},
		{"mtx_lock", Tries, "mtx_trylock", 1, ""},
		{"sem_wait", Tries, "sem_trywait", -1, ""},
		{"pthread_sigmask", Mask, "", 0, ""},
		{"sigaction", Handler, "", 0, ""},
		{"pthread_getattr_np", Stack, "", 0, ""},
	} {
		f, ok := Lookup(c.name)
		if !ok || f.Name != c.name || f.Kind != c.kind || f.Try != c.try || f.Busy != c.busy || f.Versions["amd64"] != c.version {
			t.Errorf("Lookup(%s): %+v, %v", c.name, f, ok)
		}
	}
	if f, ok := Lookup("crc32"); ok {
		t.Errorf("Lookup(crc32): %+v", f)
	}
	if got := Kind(8).String() + " " + Stack.String(); got != "Kind(8) stack" {
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

// TestReturnsSorted keeps returns.txt easy to read and to merge.
func TestReturnsSorted(t *testing.T) {
	var names []string
	for _, words := range lines("returns.txt", returnsText) {
		names = append(names, words...)
	}
	for i := 1; i < len(names); i++ {
		if names[i-1] > names[i] {
			t.Errorf("returns.txt: %s stands after %s", names[i], names[i-1])
		}
	}
	for i, line := range strings.Split(returnsText, "\n") {
		if len(line) > 100 {
			t.Errorf("returns.txt:%d: %d characters", i+1, len(line))
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
					t.Errorf("%s: %s is in neither file: add it to internal/crossing/blocking/names.txt with its kind", place, name)
				case f.Kind == Returns && !excepted[name]:
					t.Errorf("%s: %s is in returns.txt: move it to names.txt, or give the reason in soon", place, name)
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
