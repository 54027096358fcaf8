package accel

import (
	"strings"
	"testing"
)

// musl's C library stands in a folder that no configuration of glibc's loader names.
func TestMuslIsFound(t *testing.T) {
	for _, c := range []struct {
		library, want string
	}{{"/lib/x86_64-linux-gnu/libc.so.6", ""}, {"/usr/lib/x86_64-linux-musl/libc.so", "/usr/lib/x86_64-linux-musl"}} {
		if got := strings.Join((&Config{CLibrary: []string{c.library}}).beside(), " "); got != c.want {
			t.Errorf("%s: got folders %q, want %q", c.library, got, c.want)
		}
	}
}
