package treesitter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/golang"
)

// source returns a large and well-known Go file, net/http/server.go.
func source() ([]byte, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("where is GOROOT? go env GOROOT: %w", err)
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "src", "net", "http", "server.go"))
	if err != nil {
		return nil, fmt.Errorf("this example parses a file of Go's standard library: %w", err)
	}
	return src, nil
}

// parse returns the root of the syntax tree of Go source. A tree with errors
// is none to measure, so it is refused.
func parse(src []byte) (*sitter.Node, error) {
	root, err := sitter.ParseCtx(context.Background(), src, golang.GetLanguage())
	if err != nil {
		return nil, err
	}
	if root.HasError() {
		return nil, errors.New("the source has syntax errors")
	}
	return root, nil
}
