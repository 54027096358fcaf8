// Treesitter measures walks over a syntax tree: many small questions to C about
// nodes, after one long call that parsed the source.
package main

import (
	"flag"
	"fmt"
	"log"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/wherrygo/wherry/examples/internal/rate"
)

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 20, "walks of each kind")
	flag.Parse()

	src, err := source()
	if err != nil {
		log.Fatal(err)
	}
	root, err := parse(src)
	if err != nil {
		log.Fatal(err)
	}
	all, named := byNodes(root), byNamedNodes(root)
	fmt.Printf("%d bytes of source, %d nodes, %d of them named\n", len(src), all.nodes, named.nodes)

	run("cursor", *n, root, all, byCursor)
	run("nodes", *n, root, all, byNodes)
	run("named nodes", *n, root, named, byNamedNodes)
}

// run walks n times and prints the rate of nodes.
func run(name string, n int, root *sitter.Node, want tally, walk func(*sitter.Node) tally) {
	rate.Run(name, n*want.nodes, func(int) error {
		for range n {
			if got := walk(root); got != want {
				return fmt.Errorf("walk found %+v, want %+v", got, want)
			}
		}
		return nil
	})
}
