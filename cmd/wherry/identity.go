package main

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

// identity returns what tells this wherry from all others, for the keys of what it builds. Of a
// released one these are the modules that it was made of, with their hashes, so that people share
// what they build however they have built wherry. Of any other it is the build ID that Go gave
// its executable, or else a hash of that.
func identity(executable string, info *debug.BuildInfo) (string, error) {
	if text, ok := released(info); ok {
		return text, nil
	}
	if id, ok := buildID(executable); ok {
		return id, nil
	}
	file, err := os.Open(executable)
	if err != nil {
		return "", fmt.Errorf("reading my own executable: %w", err)
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("reading my own executable: %w", err)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)), nil
}

// released lists the modules and settings of a build if the hashes of all modules are known.
func released(info *debug.BuildInfo) (text string, ok bool) {
	text = fmt.Sprintf("%q %q\n", info.GoVersion, info.Path)
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Sum == "" {
			return "", false
		}
		text += fmt.Sprintf("%q %q %q\n", m.Path, m.Version, m.Sum)
	}
	for _, s := range info.Settings {
		if s.Key != "-trimpath" && !strings.HasPrefix(s.Key, "CGO_") { // wherry itself has no C
			text += fmt.Sprintf("%q %q\n", s.Key, s.Value)
		}
	}
	return text, true
}

// buildID returns the ID with which Go's linker has marked an executable, if it is of the go
// command's: its last part is a hash of the content.
func buildID(executable string) (id string, ok bool) {
	file, err := elf.Open(executable)
	if err != nil {
		return "", false
	}
	defer file.Close()
	section := file.Section(".note.go.buildid")
	if section == nil {
		return "", false
	}
	note, err := section.Data()
	return string(note), err == nil && strings.Count(string(note), "/") == 3
}
