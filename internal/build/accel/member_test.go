package accel

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// newArchive writes an archive with members as the go command gives them to a package.
func newArchive(t testing.TB, files ...member) string {
	t.Helper()
	text := archiveMagic
	for _, m := range files {
		header := []byte(memberHeader(m.name, len(m.content)))
		header[16] = '0' // the time
		text += string(header) + string(m.content) + strings.Repeat("\x00", len(m.content)%2)
	}
	file := filepath.Join(t.TempDir(), "p.a")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

var testReport = &Report{Package: "p", Kept: []Function{},
	Accelerated: []Function{{Name: "f", Mode: policy.Fast, Why: `because "x" <y>`, ByPolicy: true}}}

func reportMemberOf(t testing.TB, report *Report) member {
	t.Helper()
	m, err := report.member("amd64")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReportTravelsInArchive(t *testing.T) {
	other := member{"_go_.o", []byte("odd")}
	archive := newArchive(t, member{"__.PKGDEF", []byte("even")}, other)
	if got, err := ReadReport(archive); err != nil || got != nil {
		t.Errorf("without a report: got %+v, %v", got, err)
	}
	if err := appendMembers(archive, []member{reportMemberOf(t, testReport), other}); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadReport(archive); err != nil || got.Accelerated[0] != testReport.Accelerated[0] {
		t.Errorf("got %+v, %v, want %+v", got, err, testReport)
	}
	for name, want := range map[string]bool{"_go_.o": true, reportMember: true, "__.PKGDEF": false, "none": false} {
		if got, err := hasMember(archive, name); err != nil || got != want {
			t.Errorf("a member %s of wherry's own: got %v, %v, want %v", name, got, err, want)
		}
	}
}

// A file of a package becomes a member under its own name, cut off after 16 bytes.
func TestMembersOfPackageAreNotWherrys(t *testing.T) {
	forged := reportMemberOf(t, &Report{Package: "forged"})
	padded := member{reportMember + "   ", forged.content} // of the file "wherry.report   .syso"
	calls := member{callsMember, []byte("calls")}
	archive := newArchive(t, forged, padded, calls)
	if got, err := ReadReport(archive); err != nil || got != nil {
		t.Errorf("got %+v, %v, want no report", got, err)
	}
	if found, err := hasMember(archive, callsMember); err != nil || found {
		t.Errorf("got %v, %v, want no %s of wherry's own", found, err, callsMember)
	}
	if err := appendMembers(archive, []member{reportMemberOf(t, testReport)}); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadReport(archive); err != nil || got == nil || got.Package != "p" {
		t.Errorf("got %+v, %v, want the report of p", got, err)
	}
}

func TestDamagedArchive(t *testing.T) {
	whole := newArchive(t, member{"__.PKGDEF", []byte("even")})
	if err := appendMembers(whole, []member{reportMemberOf(t, testReport)}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	first := len(archiveMagic)
	size := func(digits string) string {
		return text[:first+memberSize] + digits + text[first+memberSize+len(digits):]
	}
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {"", "byte 0: not an archive"},
		"no archive":     {"!<arch>\x00" + text, "byte 0: not an archive"},
		"short header":   {text[:first+30], "byte 8: truncated header of a member"},
		"short member":   {text[:len(text)-1], "a member of"},
		"no size":        {size("          "), "byte 8: malformed header"},
		"negative size":  {size("-4"), "byte 8: malformed header"},
		"hexadecimal":    {size("0x4"), "byte 8: malformed header"},
		"enormous":       {size("9999999999"), "byte 68: a member of 9999999999 bytes, in which"},
		"no end":         {strings.Replace(text, memberEnd, "``", 1), "byte 8: malformed header"},
		"damaged object": {strings.Replace(text, "\x7fELF", "\x7fFLE", 1), "is damaged: "},
		"damaged text":   {strings.Replace(text, `"package"`, `"package`+"\x00", 1), "is damaged: "},
	} {
		if err := os.WriteFile(whole, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadReport(whole)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasSuffix(err.Error(), "; build with -a once") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want a line with %q and what to do", name, err, test.want)
		}
	}
}

// Other tools that read archives want all members to be objects.
func TestReportIsAnObject(t *testing.T) {
	for _, arch := range []string{"amd64", "arm64"} {
		m, err := testReport.member(arch)
		if err != nil {
			t.Fatal(err)
		}
		file := newArchive(t, m)
		for _, command := range [][]string{{"go", "tool", "pack", "t"}, {"readelf", "-aW"}, {"objdump", "-x"}} {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Logf("%s is not in PATH", command[0])
				continue
			}
			output, err := exec.Command(command[0], append(command[1:], file)...).CombinedOutput()
			if err != nil && command[0] != "objdump" || strings.Contains(strings.ToLower(string(output)), "warning") {
				t.Errorf("%s: %q says of the member: %v\n%s", arch, command, err, output)
			}
		}
	}
}

// What stands in an archive, whatever it is, is a report or an error with what to do.
func FuzzReadReport(f *testing.F) {
	archive := newArchive(f, member{"__.PKGDEF", []byte("even")}, member{"_go_.o", []byte("odd")})
	if err := appendMembers(archive, []member{reportMemberOf(f, testReport)}); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(archive)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(content)
	f.Add([]byte(archiveMagic + memberHeader(reportMember, 1<<30)))
	f.Add([]byte(archiveMagic + memberHeader(reportMember, 0)))
	f.Add([]byte(archiveMagic + strings.Repeat(memberHeader("_go_.o", 0), 9)))
	file := filepath.Join(f.TempDir(), "fuzzed.a")
	f.Fuzz(func(t *testing.T, content []byte) {
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		report, err := ReadReport(file)
		if err != nil && !strings.HasSuffix(err.Error(), "; build with -a once") {
			t.Errorf("the error does not say what to do: %v", err)
		}
		if report != nil {
			report.Modes()
			if again := reportMemberOf(t, report); len(again.content) == 0 {
				t.Error("a report that was read cannot be written")
			}
		}
		if _, err := hasMember(file, callsMember); err != nil && !strings.HasSuffix(err.Error(), "; build with -a once") {
			t.Errorf("the error does not say what to do: %v", err)
		}
	})
}
