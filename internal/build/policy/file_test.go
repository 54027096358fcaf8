package policy

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A policy has nothing read that is not a text file below its own folder, and shows little of
// what it includes.
func TestIncludeStaysBelow(t *testing.T) {
	outside := t.TempDir()
	const secret = "TOKEN_0123456789_ABCDEFGHIJKLMNOPQRST"
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret"), "p f "+secret+"\n")
	dir := filepath.Join(outside, "module")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, to := range map[string]string{"outside": "../secret", "absolute": filepath.Join(outside, "secret"), "parent": "..",
		"zero": "/dev/zero", "chain": "outside", "inside": "good", "self": "self"} {
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo("pipe", 0o666); err != nil {
		t.Fatal(err)
	}
	write("good", "p g fast\n")
	write("text", "p f "+secret+"\n"+secret+"\n"+secret+" x\n["+secret+" ["+secret+" fast\np f reentrant="+secret+"\np f fast="+secret+"\n")
	write("large", strings.Repeat("# comment\n", maxFile/10+1))
	write("long", strings.Repeat("x", 1<<17))
	const leads = " leads out of this policy's folder; a policy, and what it includes, is a file there or below, also behind symbolic links"
	for name, want := range map[string]string{
		"../secret":          `"../secret"` + leads,
		"/proc/self/environ": `"/proc/self/environ"` + leads,
		"../module/good":     leads,
		"outside":            leads,
		"absolute":           leads,
		"parent/secret":      leads,
		"zero":               leads,
		"chain":              leads,
		"self":               "too many levels of symbolic links",
		"pipe":               "pipe: is not a regular file but a pipe, a device or the like; want a policy, a text file",
		".":                  ".: is a directory, not a file",
		"large":              "more than the 1048576 bytes that are read; want a policy, a text file",
		"long":               "the line has more than 65536 bytes",
		"text":               `text:1: unknown mode "TOKEN_0123456789_ABC..."`,
		"inside":             "",
		"./good":             "",
	} {
		write(FileName, "# a comment\ninclude "+name+"\n")
		rules, err := Load(FileName)
		if want == "" {
			if err != nil || len(rules) != 1 {
				t.Errorf("include %s: got %v, %v, want one rule", name, rules, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret[:21]) || len(rules) > 0 ||
			name != "text" && (strings.Contains(err.Error(), "\n") || name != "long" && !strings.HasPrefix(err.Error(), FileName+":2: ")) {
			t.Errorf("include %s: got %v, %v, want an error with %q", name, rules, err, want)
		}
	}
	for name, to := range map[string]string{"by a link": "../secret", "as a device": "/dev/zero", "as a folder": ".",
		"as a link within": "good"} {
		os.Remove(FileName)
		if err := os.Symlink(to, FileName); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(FileName); (err != nil) != (to != "good") || err != nil && !strings.HasPrefix(err.Error(), FileName+":1: ") {
			t.Errorf("the policy itself %s: got %v", name, err)
		}
	}
	os.Remove(FileName)
	if err := os.Rename("pipe", FileName); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(FileName); err == nil || !strings.HasPrefix(err.Error(), "wherry.policy:1: wherry.policy: is not a regular file") {
		t.Errorf("a pipe as policy: got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a b fast\n# x\ninclude y\n")
	f.Add("p [f fast\np f\x00 cgo")
	f.Add("include /proc/self/environ\ninclude ../x\ninclude wherry.policy\ninclude .\np f reentrant=1025M")
	dir := f.TempDir()
	file := filepath.Join(dir, FileName)
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		rules, err := Load(file)
		for _, rule := range rules {
			if rule.Package == "" || rule.Line < 1 || rule.File != file || rule.setMode(rule.Words()) != nil {
				t.Errorf("accepted %+v", rule)
			}
		}
		if err == nil {
			return
		}
		if n := strings.Count(err.Error(), "\n"); n > maxErrors {
			t.Errorf("%d lines of errors", n+1)
		}
		for line := range strings.Lines(err.Error()) {
			if !strings.HasPrefix(line, file+":") && !strings.Contains(line, " more mistakes in the policy") {
				t.Errorf("no place in %q", line)
			}
		}
	})
}
