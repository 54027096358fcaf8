package gotool

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ verb, args, flags, packages, rest, report string }{
		{"build", "", "", "", "", ""},
		{"build", "-o x -tags=a,b ./... ./y", "-o=x -tags=a,b", "./... ./y", "", ""},
		{"build", "--race -report .", "--race", ".", "", "text"},
		{"build", "-report=json -ldflags -s .", "-ldflags=-s", ".", "", "json"},
		{"build", "-buildvcs -v .", "-buildvcs -v", ".", "", ""},
		{"run", "-tags a . -report x", "-tags=a", ".", "-report x", ""},
		{"run", "a.go b.go c", "", "a.go b.go", "c", ""},
		{"test", "-v ./a ./b -run X -count=1", "-v -run=X -count=1", "./a ./b", "", ""},
		{"test", "./a -args -v -o", "", "./a", "-args -v -o", ""},
		{"test", "./a -update", "", "./a", "-update", ""},
		{"test", "./a -name foo -v", "", "./a", "-name foo -v", ""},
		{"test", "-test.run X ./a", "-test.run=X", "./a", "", ""},
		{"test", "./a -run X more", "-run=X", "./a", "more", ""},
	} {
		c, err := Parse(test.verb, strings.Fields(test.args))
		if err != nil {
			t.Errorf("%s %s: %v", test.verb, test.args, err)
			continue
		}
		got := []string{strings.Join(c.Flags, " "), strings.Join(c.Packages, " "), strings.Join(c.Rest, " "), c.Report}
		if want := []string{test.flags, test.packages, test.rest, test.report}; !slices.Equal(got, want) {
			t.Errorf("%s %s: got %q, want %q", test.verb, test.args, got, want)
		}
	}
}

func TestArgs(t *testing.T) {
	c, err := Parse("test", strings.Fields("-toolexec=x -tags a ./p -run Y -args z"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(c.Args("-toolexec=w"), " "), "test -toolexec=w -tags a ./p -run Y -args z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := strings.Join(c.Args("-toolexec=w", "-tags=a,b"), " "), "test -toolexec=w -tags=a,b ./p -run Y -args z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for line, want := range map[string]string{
		"-C d -report ./sub -count=1 -name foo -v": "test -C d -toolexec=w ./sub -count=1 -name foo -v",
		"-report=json ./sub -args -report":         "test -toolexec=w ./sub -args -report",
	} {
		c, err := Parse("test", strings.Fields(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Args("-toolexec=w"), " "); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
	if got, want := strings.Join(c.PackageFlags(), " "), "-tags=a"; got != want {
		t.Errorf("got package flags %q, want %q", got, want)
	}
}

// The table of flags that take a value agrees with the go command's own help.
func TestFlagsOfGoHelp(t *testing.T) {
	for _, topic := range []string{"build", "testflag"} {
		out, err := exec.Command("go", "help", topic).Output()
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, m := range regexp.MustCompile(`(?m)^\t-([a-z]+)( [^\n]*)?$`).FindAllStringSubmatch(string(out), -1) {
			name, takesValue := m[1], strings.TrimSpace(m[2]) != ""
			if strings.HasPrefix(m[2], " [") || name == "args" {
				continue
			}
			found++
			if got := slices.Contains(valueFlags, name); got != takesValue && !slices.Contains(optionalValueFlags, name) {
				t.Errorf("-%s: the table says it takes a value: %v; go help %s says -%s%s", name, got, topic, name, m[2])
			}
		}
		if found < 15 {
			t.Errorf("understood only %d flags of go help %s", found, topic)
		}
	}
}
