package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing/stat"
)

// arguments returns what those of each function's calls cost beside the call.
func (s *statistic) arguments(counted []stat.Counted) map[[2]string]stat.Arguments {
	all := map[[2]string]stat.Arguments{}
	for name, f := range s.known {
		all[name] = stat.Arguments{Checks: f.Checks}
	}
	for name, n := range s.spared(counted) {
		all[name] = stat.Arguments{Spared: n, Checks: all[name].Checks}
	}
	return all
}

// spared returns how many allocations of arguments a call of each function would not
// need with acceleration, which lets them stay on the stack where no callback can come.
// The compiler says so, asked about the packages whose calls were counted, once as they
// were built for this run and once accelerated. Only with WHERRY_DEFAULT=cgo is that not
// the same. What is not known is nothing, with a warning.
func (s *statistic) spared(counted []stat.Counted) map[[2]string]float64 {
	if !s.onCgo {
		return nil
	}
	called := map[string]bool{}
	for _, c := range counted {
		if c.Kind == stat.Call && c.Mode == "cgo" && c.N > 0 && c.Package != "command-line-arguments" {
			called[c.Package] = true
		}
	}
	paths := slices.Sorted(maps.Keys(called))
	if len(paths) == 0 {
		return nil
	}
	all, err := s.allocationsGone(paths)
	if err != nil {
		s.warnings = append(s.warnings, fmt.Sprintf("how many allocations acceleration would spare is not known: %v", err))
	}
	return all
}

func (s *statistic) allocationsGone(paths []string) (map[[2]string]float64, error) {
	packages, err := s.command.List(paths)
	if err != nil {
		return nil, err
	}
	gone, err := s.allocations(paths, "cgo")
	if err != nil {
		return nil, err
	}
	left, err := s.allocations(paths, "")
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(gone, func(a stat.Allocation, _ bool) bool { return left[a] })
	all := map[[2]string]float64{}
	for _, p := range packages {
		var files []string
		for _, name := range p.CgoFiles {
			files = append(files, filepath.Join(p.Dir, name))
		}
		for function, n := range stat.Spared(files, gone) {
			all[[2]string{p.ImportPath, function}] = n
		}
	}
	return all, nil
}

// allocations asks the compiler.
func (s *statistic) allocations(paths []string, byDefault string) (map[stat.Allocation]bool, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	// Without -trimpath: the files' names must lead to them.
	flags := slices.DeleteFunc(slices.Clone(s.command.Flags), func(flag string) bool { return flag == "-trimpath" })
	args := []string{"build", "-o", os.DevNull} // so nothing is linked
	cmd := exec.Command(executable, slices.Concat(args, flags, []string{"-gcflags=-m"}, paths)...)
	cmd.Env = append(os.Environ(), "WHERRY_DEFAULT="+byDefault)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("wherry build -gcflags=-m: %w\n%s", err, strings.TrimSpace(string(output)))
	}
	return stat.Allocations(string(output), dir), nil
}
