package policy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever a policy and what it includes say, no rule is from a file outside, no error shows what
// stands there, and nothing waits.
func FuzzIncludes(f *testing.F) {
	outside := f.TempDir()
	secret := fmt.Sprintf("token%d", time.Now().UnixNano())
	dir := filepath.Join(outside, "module")
	err := errors.Join(os.MkdirAll(filepath.Join(dir, "sub"), 0o777), syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666),
		os.WriteFile(filepath.Join(outside, "secret"), []byte(secret+" f fast\n"+secret+"\n"), 0o666))
	for name, to := range map[string]string{"up": "..", "link": "../secret", "absolute": filepath.Join(outside, "secret"), "zero": "/dev/zero",
		"sub/link": "../link", "sub/up": "../..", "sub/self": "self", "sub/policy": "../wherry.policy"} {
		err = errors.Join(err, os.Symlink(to, filepath.Join(dir, name)))
	}
	if err != nil {
		f.Fatal(err)
	}
	f.Add("include sub/more\np f fast\n", "include ../link\ninclude ../up/secret\np f cgo\n")
	f.Add("include sub/policy\ninclude sub/more\ninclude sub/more", "include policy\ninclude link\ninclude up/secret")
	f.Add("include ./sub/../link\ninclude zero\ninclude pipe\ninclude .", "include self\ninclude absolute\r\ninclude \x00\ninclude sub")
	f.Add("include "+outside+"/secret\ninclude sub/up/secret", "include ../../module/../secret\n")
	f.Fuzz(func(t *testing.T, main, more string) {
		file := filepath.Join(dir, FileName)
		if err := errors.Join(os.WriteFile(file, []byte(main), 0o666),
			os.WriteFile(filepath.Join(dir, "sub/more"), []byte(more), 0o666)); err != nil {
			t.Fatal(err)
		}
		rules, err := Load(file)
		for _, rule := range rules {
			if rule.Package == secret {
				t.Errorf("read outside: %+v", rule)
			}
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("shows a file outside: %v", err)
		}
	})
}
