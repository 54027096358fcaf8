package tests

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Programs that are built with the C library of another Debian, and run with all of them, do as the
// plain ones do, also where those do not start. WHERRY_GLIBC names the releases, as in
// "bullseye trixie", which apt-get fetches.
func TestOtherLibraries(t *testing.T) {
	releases := words(os.Getenv("WHERRY_GLIBC"))
	if len(releases) == 0 || runtime.GOARCH != "amd64" {
		t.Skip("WHERRY_GLIBC names no releases of Debian, or this is not amd64")
	}
	needsFastPath(t)
	const folder = "lib/x86_64-linux-gnu"
	roots := map[string]string{"": "/"}
	for _, release := range releases {
		roots[release] = fetchLibrary(t, release)
	}
	for built, root := range roots {
		m := testdata(t, "oldest")
		m.makeLibraries("gcc")
		if built != "" {
			places := "-B" + root + "/usr/" + folder + " -L" + root + "/usr/" + folder + " -L" + root + "/" + folder
			cc := filepath.Join(filepath.Dir(root), "cc")
			if err := os.WriteFile(cc, []byte("#!/bin/sh\nexec gcc --sysroot="+root+" "+places+" \"$@\"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			m.env = append(m.env, "CC="+cc, "CGO_CFLAGS=-O2")
		}
		m.must("timeout", "300", "go", "build", "-o", "plain")
		m.must("timeout", "300", wherry, "build", "-o", "fast")
		definesOld(t, m.path("plain"), m.path("fast"), filepath.Join(root, folder, "libc.so.6"))
		for with, other := range roots {
			libraries := filepath.Join(other, folder)
			run := func(program string) result {
				linker := filepath.Join(libraries, "ld-linux-x86-64.so.2")
				return m.run("timeout", "60", linker, "--library-path", libraries, "./"+program, "./probe.so")
			}
			plain, fast := run("plain"), run("fast")
			starts := !strings.Contains(plain.stderr, "version `GLIBC_")
			if fast.status != plain.status || fast.stdout != plain.stdout || starts != (plain.status == 0) {
				t.Errorf("built with %q, run with %q: exit status %d\n%s%s\nplainly %d\n%s%s", built, with, fast.status, fast.stdout, fast.stderr,
					plain.status, plain.stdout, plain.stderr)
			}
			t.Logf("built with %q, run with %q: exit status %d", built, with, fast.status)
		}
	}
}

// fetchLibrary unpacks the C library of a release of Debian, as a compiler's --sysroot.
func fetchLibrary(t *testing.T, release string) (root string) {
	t.Helper()
	m := newModule(t, map[string]string{"state/status": "", "state/lists/partial/x": "", "cache/archives/partial/x": ""})
	archive := "" // from which this machine has its packages
	for line := range strings.Lines(m.must("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages").stdout) {
		if strings.HasSuffix(line, "/debian/\n") {
			archive = strings.TrimSpace(line)
		}
	}
	m.write("sources", "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "+archive+" "+release+" main\n")
	m.write("apt.conf", `Dir::State "`+m.path("state")+`"; Dir::State::status "`+m.path("state/status")+`"; Dir::Cache "`+m.path("cache")+
		`"; Dir::Etc::sourcelist "`+m.path("sources")+`"; Dir::Etc::sourceparts "-"; APT::Sandbox::User "root";`)
	m.env = append(m.env, "APT_CONFIG="+m.path("apt.conf"))
	for _, arguments := range []string{"update", "download libc6 libc6-dev linux-libc-dev"} {
		if r := m.run("apt-get", words(arguments)...); r.status != 0 {
			t.Skipf("%s cannot be fetched: apt-get %s: %s", release, arguments, r.stderr)
		}
	}
	packages, _ := filepath.Glob(m.path("*.deb"))
	root = filepath.Join(t.TempDir(), "root")
	for _, name := range packages {
		m.must("dpkg-deb", "-x", name, root)
	}
	for _, name := range words("lib lib64") { // which another package makes
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			if err := os.Symlink("usr/"+name, filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		to, isLink := os.Readlink(path)
		if isLink != nil || !strings.HasPrefix(to, "/") || err != nil {
			return err
		}
		if err := os.Remove(path); err != nil {
			return err
		}
		return os.Symlink(root+to, path)
	})
	if err != nil {
		t.Fatal(err)
	}
	return root
}
