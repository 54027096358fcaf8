package tests

import (
	"os"
	"strings"
	"testing"
)

// Who starts a program that is setuid sets its environment too, and is not trusted by it:
// there wherry's C reads no setting.
func TestSecureMode(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	if os.Geteuid() != 0 {
		t.Skip("only root can make a program that is another user's and setuid")
	}
	m := testdata(t, "secure")
	m.must("go", "build", "-o", "plain")
	m.build("fast")
	m.must(wherry, "stat", "-build", "counting", ".")
	const nobody, want = 65534, "5\n5\n5\n"
	count := func(program string) int64 {
		m.write("counts", "")
		if err := os.Chmod(m.path("counts"), 0o666); err != nil {
			t.Fatal(err)
		}
		if r := m.with("WHERRY_STAT_FILE=" + m.path("counts")).run("./" + program); r.status != 0 || r.stderr != want {
			t.Errorf("%s: exit status %d and %q, want %q", program, r.status, r.stderr, want)
		}
		file, err := os.Stat(m.path("counts"))
		if err != nil {
			t.Fatal(err)
		}
		return file.Size()
	}
	settings := map[string]string{"WHERRY_CSTACK_SIZE=16384": "",
		"WHERRY_CSTACK_SIZE=1": "want a number", "WHERRY_CSTACK_LIMIT=0": "want a number",
		"WHERRY_CSTACK_DEPTH=x": "want a number", "WHERRY_CSTACK_DEBUG=1": "high-water mark",
		"WHERRY=wrong": "want off or on", "WHERRY_TRACES=no": "want 0 or 1",
		"WHERRY_VERBOSE=1 GODEBUG=asyncpreemptoff=1": "calls go through cgo"}
	for setting, says := range settings { // outside of secure mode each has an effect
		r := m.with(words(setting)...).run("./fast")
		if !strings.Contains(r.stderr, says) || says == "" && r.status == 0 {
			t.Fatalf("%s: exit status %d and %q, want %q", setting, r.status, r.stderr, says)
		}
	}
	if size := count("counting"); size == 0 {
		t.Fatal("no counts are written")
	}
	for _, program := range []string{"fast", "counting"} {
		if err := os.Chown(m.path(program), nobody, nobody); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(m.path(program), 0o755|os.ModeSetuid); err != nil {
			t.Fatal(err)
		}
	}
	if m.must("./fast", "mode").stderr != "secure mode: 1\n" {
		t.Skip("the temporary folder lies where setuid has no effect")
	}
	for setting := range settings {
		if r := m.with(words(setting)...).run("./fast"); r.status != 0 || r.stderr != want {
			t.Errorf("%s: exit status %d and %q, want %q", setting, r.status, r.stderr, want)
		}
	}
	if size := count("counting"); size != 0 {
		t.Errorf("a file of %d bytes was written", size)
	}
}
