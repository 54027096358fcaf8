package tests

import (
	"path/filepath"
	"testing"
)

// Programs in which it would be seen if an argument stayed on the goroutine's stack end as
// with plain Go.
func TestArgumentsOnTheStack(t *testing.T) {
	programs, err := filepath.Glob("testdata/onstack/*/main.go")
	if err != nil || len(programs) < 9 {
		t.Fatalf("got the programs %q, %v; want nine", programs, err)
	}
	onEach(t, func(t *testing.T, on target) {
		for _, program := range programs {
			t.Run(filepath.Base(filepath.Dir(program)), func(t *testing.T) {
				testdata(t, filepath.Join("onstack", filepath.Base(filepath.Dir(program)))).on(on).likePlain()
			})
		}
	})
}
