package check

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// signatures of functions that can be called with any content; see paint.c.
var signatures = map[string]string{
	"libz.so.1": `crc32 ipn adler32 ipn crc32_z ipn adler32_z ipn crc32_combine iin adler32_combine iin crc32_combine64 iin
		adler32_combine64 iin
		zlibVersion - zlibCompileFlags - compressBound n deflateBound 0n get_crc_table - crc32_combine_gen n crc32_combine_gen64 n
		crc32_combine_op iii`,
	"libxxhash.so.0": `XXH32 pni XXH64 pni XXH3_64bits pn XXH3_128bits pn XXH3_64bits_withSeed pni XXH3_128bits_withSeed pni XXH64_reset pi
		XXH32_reset pi
		XXH_versionNumber - XXH32_canonicalFromHash pi XXH64_canonicalFromHash pi XXH32_hashFromCanonical p XXH64_hashFromCanonical p
		XXH128_hashFromCanonical p XXH128 pni`,
	"libsqlite3.so.0": `sqlite3_libversion - sqlite3_libversion_number - sqlite3_sourceid - sqlite3_threadsafe - sqlite3_stricmp pp
		sqlite3_strnicmp ppn
		sqlite3_strglob pp sqlite3_compileoption_used p sqlite3_keyword_count - sqlite3_keyword_check pn sqlite3_compileoption_get n`,
}

// Functions with an integer that says how often they loop, or that want more
// arguments than paint gives, or that load the processor's modes from memory.
var notPainted = regexp.MustCompile(`^(jn|yn|nexttoward|fesetenv|fesetmode|feupdateenv|_|.*(l|f128|f64x)$)`)

// TestPaintedStack calls functions that are judged safe on a painted stack,
// where a system call kills. None uses more than its bound and the red zone.
func TestPaintedStack(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the harness is for Linux on x86-64")
	}
	rounds := "200"
	if os.Getenv("WHERRY_LONG") != "" {
		rounds = "4000"
	}
	paint := filepath.Join(t.TempDir(), "paint")
	if out, err := exec.Command("gcc", "-O1", "-w", "-o", paint, "testdata/paint.c", "-ldl").CombinedOutput(); err != nil {
		t.Skipf("no gcc: %v\n%s", err, out)
	}
	for name, least := range map[string]int{"libm.so.6": 150, "libz.so.1": 5, "libxxhash.so.0": 5, "libsqlite3.so.0": 3} {
		t.Run(name, func(t *testing.T) {
			library := filepath.Join("/lib/x86_64-linux-gnu", name)
			p, err := Open(library, Options{})
			if err != nil {
				t.Skipf("%v; script/bootstrap installs it on Debian", err)
			}
			signature := map[string]string{}
			words := strings.Fields(signatures[name])
			for i := 0; i+1 < len(words); i += 2 {
				signature[words[i]] = words[i+1]
			}
			bounds := map[string]int{}
			var input strings.Builder
			for _, f := range p.Functions() {
				s := signature[f]
				if name == "libm.so.6" && !notPainted.MatchString(f) {
					s = "-"
				}
				if s == "" {
					continue
				}
				r, err := p.Check(f)
				if err != nil {
					t.Fatal(err)
				}
				if r[0].Verdict == Safe {
					bounds[f] = int(r[0].Stack)
					input.WriteString(f + " " + s + "\n")
				}
			}
			cmd := exec.Command(paint, library, rounds)
			cmd.Stdin = strings.NewReader(input.String())
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			measured, most := 0, 0.0
			for line := range strings.Lines(string(out)) {
				f := strings.Fields(line)
				bytes, err := strconv.Atoi(f[1])
				if err != nil {
					t.Errorf("%s: %s", name, strings.TrimSpace(line))
					continue
				}
				measured++
				most = max(most, float64(bytes)/float64(bounds[f[0]]+128))
				if bytes > bounds[f[0]]+128 {
					t.Errorf("%s: %s used %d bytes of stack, its bound is %d and the red zone", name, f[0], bytes, bounds[f[0]])
				}
			}
			t.Logf("%s: %d functions measured, at most %.0f %% of bound and red zone used", name, measured, 100*most)
			if measured < least {
				t.Errorf("%s: only %d functions measured, want %d", name, measured, least)
			}
		})
	}
}
