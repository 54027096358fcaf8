package read

import (
	"encoding/binary"
	"os"
	"os/exec"
	"testing"
	"time"

	image "github.com/wherrygo/wherry/internal/read/elf"
)

// readHostile loads and reads a file that may be anything.
func readHostile(t *testing.T, data []byte) {
	start := time.Now()
	m, err := image.Load("hostile", data)
	if err != nil {
		if err.Error() == "" {
			t.Error("an error without words")
		}
		return
	}
	p := newProgram(newFiles(m, nil), Options{})
	names := p.files.Functions()
	if _, err := p.Read(names[:min(len(names), 20)]...); err != nil {
		t.Error(err)
	}
	p.ComparesStack()
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v for %d bytes", d, len(data))
	}
}

// libraries are real ones.
func libraries() [][]byte {
	var all [][]byte
	for _, name := range []string{"/lib/x86_64-linux-gnu/libz.so.1", "/lib/x86_64-linux-gnu/libxxhash.so.0",
		"/usr/aarch64-linux-gnu/lib/libdl.so.2"} {
		if data, err := os.ReadFile(name); err == nil {
			all = append(all, data)
		}
	}
	return all
}

const fuzzSource = "int f(int x) { switch (x) { case 0: return 1; case 1: return g(x); case 2: return 8; case 3: return x * x; case 4: " +
	"return h(x + 1); } return k(2); } int (*p)(int) = f;"

// seeds are small, so that there are many tries a second: an object and a
// shared library of each architecture.
func seeds(t testing.TB) [][]byte {
	var all [][]byte
	for _, cc := range []string{"gcc", "aarch64-linux-gnu-gcc"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		object := compile(t, cc, fuzzSource, "-O2", "-fPIC")
		library := object + ".so"
		if out, err := exec.Command(cc, "-shared", "-nostdlib", "-Wl,--build-id,-z,noseparate-code", "-o", library,
			object).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, name := range []string{object, library} {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
	}
	return all
}

// FuzzELF feeds malformed files. Whatever is in them, there is no panic and
// no endless work.
func FuzzELF(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Add([]byte("!<arch>\n"))
	f.Fuzz(readHostile)
}

// TestCorrupted damages real files in a way that depends on nothing but its
// number: headers and tables first, which fuzzing takes long to find.
func TestCorrupted(t *testing.T) {
	rounds := 60
	if os.Getenv("WHERRY_LONG") != "" {
		rounds = 4000
	}
	random := uint64(1)
	next := func(n int) int {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		return int(random % uint64(max(n, 1)))
	}
	for _, data := range append(libraries(), seeds(t)...) {
		for round := range rounds {
			broken := append([]byte(nil), data...)
			switch round % 4 {
			case 0:
				broken = broken[:next(len(broken))]
			case 1:
				broken[next(64)] ^= 1 << next(8)
			case 2: // the table of sections
				at := int(binary.LittleEndian.Uint64(broken[40:])) + next(2000)
				if at+8 < len(broken) {
					binary.LittleEndian.PutUint64(broken[at:], uint64(next(1<<30))<<next(34))
				}
			case 3:
				for range 1 + next(40) {
					broken[next(len(broken))] = byte(next(256))
				}
			}
			readHostile(t, broken)
			if t.Failed() {
				t.Fatalf("round %d", round)
			}
		}
	}
}
