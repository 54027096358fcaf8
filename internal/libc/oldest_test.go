package libc

import (
	"slices"
	"testing"
)

// A function is defined only if the oldest C library has it on which the program starts.
func TestOldest(t *testing.T) {
	version := func(names ...string) (versions []Version) {
		for i, name := range names {
			versions = append(versions, Version{Name: name, Hidden: i > 0, Value: uint64(i)})
		}
		return versions
	}
	for _, c := range []struct {
		library Library
		oldest  int
		always  bool // sem_clockwait
		unseen  []string
	}{
		{Library{"__libc_start_main": version("GLIBC_2.34", "GLIBC_2.2.5"), "sem_clockwait": version("GLIBC_2.34", "GLIBC_2.30"),
			"epoll_pwait2": version("GLIBC_2.35"), "read": version("GLIBC_2.2.5")}, 34, true, []string{"epoll_pwait2"}},
		{Library{"__libc_start_main": version("GLIBC_2.2.5"), "pthread_create": version("GLIBC_2.2.5"),
			"pthread_sigmask": version("GLIBC_2.32", "GLIBC_2.2.5"), "sem_clockwait": version("GLIBC_2.30")}, 32, true, nil},
		{Library{"pthread_create": version("GLIBC_2.2.5"), "sem_clockwait": version("GLIBC_2.30"), "mtx_lock": version("GLIBC_2.28"),
			"copy_file_range": version("GLIBC_2.17"), "pthread_cond_wait": version("GLIBC_2.3.2", "GLIBC_2.2.5")}, 17, false,
			[]string{"mtx_lock", "sem_clockwait"}},
		{Library{"pthread_create": version(""), "sem_clockwait": version("")}, 17, true, nil}, // musl
		{Library{"pthread_create": version("GLIBC_2.34")}, 34, false, nil},
	} {
		f, _ := Lookup("sem_clockwait")
		var unseen []string
		for _, f := range c.library.Unseen() {
			unseen = append(unseen, f.Name)
		}
		oldest, always := c.library.Oldest(), c.library.Always(f)
		if oldest != c.oldest || always != c.always || !slices.Equal(unseen, c.unseen) {
			t.Errorf("%v: got 2.%d, %v, %q, want 2.%d, %v, %q", c.library, oldest, always, unseen, c.oldest, c.always, c.unseen)
		}
	}
	if f, _ := Lookup("epoll_pwait2"); Library(nil).Always(f) || len(Library(nil).Unseen()) == 0 {
		t.Error("an unknown library has epoll_pwait2")
	}
}
