package treesitter

import (
	"strings"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
)

func load(t testing.TB) *sitter.Node {
	t.Helper()
	src, err := source()
	if err != nil {
		t.Fatal(err)
	}
	root, err := parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestWalks compares the walks with each other and with tree-sitter's own: it
// prints a tree with one parenthesis for every named node.
func TestWalks(t *testing.T) {
	root := load(t)
	cursor, nodes, named := byCursor(root), byNodes(root), byNamedNodes(root)
	if cursor != nodes {
		t.Errorf("by cursor %+v, by nodes %+v", cursor, nodes)
	}
	printed := strings.Count(root.String(), "(")
	if named.nodes != printed || nodes.named != printed {
		t.Errorf("%d named nodes walked, %d seen, %d printed", named.nodes, nodes.named, printed)
	}
	if nodes.nodes < 10_000 || nodes.named < 5_000 {
		t.Errorf("tree is too small to measure: %+v", nodes)
	}
}

// TestSmallTree counts by hand.
func TestSmallTree(t *testing.T) {
	root, err := parse([]byte("package a\n"))
	if err != nil {
		t.Fatal(err)
	}
	// source_file, package_clause, "package", package_identifier, "\n"
	want := tally{nodes: 5, named: 3, types: 11 + 14 + 7 + 18 + 1, bytes: 10 + 9 + 7 + 1 + 1}
	if got := byCursor(root); got != want {
		t.Errorf("tally of %s is %+v, want %+v", root, got, want)
	}
}

func TestSyntaxError(t *testing.T) {
	if _, err := parse([]byte("package {")); err == nil {
		t.Error("parsed what is no Go")
	}
}

func BenchmarkCursor(b *testing.B)     { measure(b, byCursor, byNodes) }
func BenchmarkNodes(b *testing.B)      { measure(b, byNodes, byCursor) }
func BenchmarkNamedNodes(b *testing.B) { measure(b, byNamedNodes, byNamedNodes) }

// measure times a walk over the whole tree. The first walk fills the cache of
// nodes that the binding keeps, and is not measured.
func measure(b *testing.B, walk, oracle func(*sitter.Node) tally) {
	root := load(b)
	want := oracle(root)
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if got := walk(root); got != want {
			b.Fatalf("walk found %+v, want %+v", got, want)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(want.nodes), "ns/node")
}
