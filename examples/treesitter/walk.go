// Package treesitter measures walks over a syntax tree: many small questions to C about
// nodes, after one long call that parsed the source.
package treesitter

import sitter "github.com/smacker/go-tree-sitter"

// A tally is what a walk over a tree adds up. Two walks over the same tree have
// the same tally, whichever way they went.
type tally struct {
	nodes int
	named int
	types int // the length of all type names
	bytes int // the length of the source under all nodes
}

func (t *tally) add(n *sitter.Node) {
	t.nodes++
	if n.IsNamed() {
		t.named++
	}
	t.types += len(n.Type())
	t.bytes += int(n.EndByte() - n.StartByte())
}

// byCursor visits every node below root with a cursor, which keeps the way up
// on a stack of its own.
func byCursor(root *sitter.Node) tally {
	c := sitter.NewTreeCursor(root)
	defer c.Close()
	var t tally
	for {
		t.add(c.CurrentNode())
		if c.GoToFirstChild() {
			continue
		}
		for !c.GoToNextSibling() {
			if !c.GoToParent() {
				return t
			}
		}
	}
}

// byNodes visits every node below n by asking each for its children.
func byNodes(n *sitter.Node) tally {
	var t tally
	visit(n, &t)
	return t
}

func visit(n *sitter.Node, t *tally) {
	t.add(n)
	for i := range int(n.ChildCount()) {
		visit(n.Child(i), t)
	}
}

// byNamedNodes visits the named nodes only, as most tools do.
func byNamedNodes(n *sitter.Node) tally {
	var t tally
	visitNamed(n, &t)
	return t
}

func visitNamed(n *sitter.Node, t *tally) {
	t.add(n)
	for i := range int(n.NamedChildCount()) {
		visitNamed(n.NamedChild(i), t)
	}
}
