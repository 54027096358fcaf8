package gotool

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// Overlay returns the files that -overlay puts in the place of others, by the
// latter's absolute paths; the empty path for one that is taken away. Mistakes in
// its file are the go command's to tell.
func (e *Env) Overlay(c *Command) map[string]string {
	path, ok := e.Flag(c, "overlay")
	if !ok || path == "" {
		return nil
	}
	dir, _ := c.Flag("C")
	absolute := func(path string) string {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		path, _ = filepath.Abs(path) // without a current folder go fails too
		return path
	}
	var overlay struct{ Replace map[string]string }
	text, err := os.ReadFile(absolute(path))
	if err != nil || json.Unmarshal(text, &overlay) != nil {
		return nil
	}
	files := map[string]string{}
	for from, to := range overlay.Replace {
		if to != "" {
			to = absolute(to)
		}
		files[absolute(from)] = to
	}
	return files
}
