//go:build linux

package purego_test

import (
	"hash/crc32"
	"syscall"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/direct"
	_ "github.com/wherrygo/wherry/direct/purego"
)

// With cgo and without.
func TestLibraries(t *testing.T) {
	if err := direct.Supported(); err != nil {
		t.Fatal(err)
	}
	z, err := direct.Open("libz.so.1")
	if err != nil {
		t.Fatal(err)
	}
	sum := direct.MustBind[func(uint, []byte) uint](z.MustLookup("crc32"))
	data := []byte("the same bytes")
	for range 100000 {
		if got, want := sum(0, data), crc32.ChecksumIEEE(data); got != uint(want) {
			t.Fatalf("got %x, want %x", got, want)
		}
	}
}

// As dlopen has it with RTLD_NOW alone: a library's names are not everyone's.
func TestNamesStayApart(t *testing.T) {
	if _, err := direct.Open("libz.so.1"); err != nil {
		t.Fatal(err)
	}
	if _, err := purego.Dlsym(purego.RTLD_DEFAULT, "zlibVersion"); err == nil {
		t.Error("zlibVersion is found by those who have not opened libz")
	}
}

func TestErrno(t *testing.T) {
	c, err := direct.Open("libc.so.6")
	if err != nil {
		t.Fatal(err)
	}
	chdir := direct.MustBind[func(string) (int32, direct.Errno)](c.MustLookup("chdir"))
	if n, errno := chdir("/no/such/folder\x00"); n != -1 || errno != syscall.ENOENT {
		t.Errorf("got %d, %v, want -1, %v", n, errno, syscall.ENOENT)
	}
	if n, errno := chdir(".\x00"); n != 0 || errno != 0 {
		t.Errorf("got %d, %v, want 0, 0", n, errno)
	}
}
