package main

import (
	"context"
	"fmt"
	"testing"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const functions = 8000

// BenchmarkJob parses 1 MB of Go and counts the functions and names in it, by a
// cursor over the whole tree.
func BenchmarkJob(b *testing.B) {
	source := []byte("package p\n")
	for i := range functions {
		source = fmt.Appendf(source, "\n// f%d adds and doubles its arguments for the sum.\nfunc f%d(a, b int) int {\n\tif a < b {\n\t\treturn "+
			"g(a)\n\t}\n\treturn 2 * (a + b + %d)\n}\n", i, i, i)
	}
	if len(source) < 1_000_000 {
		b.Fatalf("only %d bytes", len(source))
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(golang.GetLanguage())
	for range job.Ops(b) {
		tree, err := parser.ParseCtx(context.Background(), nil, source)
		if err != nil {
			b.Fatal(err)
		}
		cursor := sitter.NewTreeCursor(tree.RootNode())
		counts := map[string]int{}
		for down := true; ; {
			if down {
				counts[cursor.CurrentNode().Type()]++
			}
			if down && cursor.GoToFirstChild() {
				continue
			}
			if down = cursor.GoToNextSibling(); !down && !cursor.GoToParent() {
				break
			}
		}
		if counts["function_declaration"] != functions || counts["identifier"] != 9*functions || counts["ERROR"] != 0 {
			b.Fatalf("got %v", counts)
		}
		cursor.Close()
		tree.Close()
	}
}
