package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Stored runs of both commands have a page, with a picture and the names of what
// was measured.
func TestDraw(t *testing.T) {
	for file, parts := range map[string][]string{
		"../../../../../internal/measure/bench/runs/2026-11-22/h3.json":        {"<h1>wherry compare</h1>", "LatLngToCell", "<figure>"},
		"../../../../../internal/measure/bench/runs/2026-11-22/crossings.json": {"<h1>wherry bench</h1>", "call/add", "<svg"},
	} {
		var page strings.Builder
		if err := draw(&page, file); err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(page.String(), part) {
				t.Errorf("%s: the page lacks %s", file, part)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte("{\"packages\":null}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := draw(new(strings.Builder), file); err == nil || !strings.Contains(err.Error(), "run.json:1: not a line") {
		t.Errorf("got %v, want the file and line of what is no run", err)
	}
}
