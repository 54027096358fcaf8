package tests

import "testing"

// A build that may not write what it has to, as on a disk that is full, fails as go build does. What it
// left is of no harm to the next one.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	needsFastPath(t)
	m := smallest(t)
	m.env = []string{unseenByCache()}
	withCompiler(t, m)
	for _, blocks := range []string{"1", "20", "200", "2000"} {
		r := m.run("sh", "-c", "ulimit -f "+blocks+"; exec '"+wherry+"' build -trimpath -o fast")
		if plain := m.run("sh", "-c", "ulimit -f "+blocks+"; exec go build -trimpath -o plain"); r.status == 0 || plain.status == 0 {
			t.Errorf("files of %s blocks: got exit status %d, and %d of go build\n%s", blocks, r.status, plain.status, r.stderr)
		}
	}
	m.must(wherry, "build", "-trimpath", "-o", "fast")
	m.must("./fast")
}
