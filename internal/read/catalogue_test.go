package read

import (
	"debug/elf"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCatalogue holds that the names of libc.list whose code is not read are spelt as the C
// library, the C++ library or libgcc of this machine spell them, or stand in
// elsewhere.
func TestCatalogue(t *testing.T) {
	have := map[string]bool{}
	for _, name := range []string{"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"} {
		file, err := elf.Open(filepath.Join("/lib/x86_64-linux-gnu", name))
		if err != nil {
			t.Skipf("the names of glibc on x86-64 are compared: %v", err)
		}
		symbols, err := file.DynamicSymbols()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range symbols {
			if s.Section != elf.SHN_UNDEF {
				have[s.Name] = true
			}
		}
		file.Close()
	}
	count := 0
	listed := strings.Fields(elsewhere)
	known := byName().exact
	for name := range known {
		if count++; !have[name] && !slices.Contains(listed, name) && !strings.Contains(name, "cgo") {
			t.Errorf("%s is in no library here: misspelt, or of another version, which belongs into elsewhere", name)
		}
	}
	for _, name := range listed {
		if known[name] == nil {
			t.Errorf("%s is listed as of elsewhere, but libc.list does not have it", name)
		}
	}
	if count < 600 {
		t.Errorf("%d names, want the catalogue's 600 at least", count)
	}
}

// elsewhere are names of older and newer C libraries, of other C libraries, of
// static ones, of Go, and such as only headers have.
const elsewhere = `at_quick_exit atexit __libc_read __libc_write __isoc23_scanf __isoc23_fscanf __isoc23_sscanf __isoc23_vsscanf
	res_init clone3 ____longjmp_chk __libc_longjmp __libc_siglongjmp sigsetjmp __stack_chk_fail_local crosscall1 crosscall2`
