package accel

import (
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"strings"
)

// The functions of the C library that the program defines are an object of its own, which
// stands last in the link: behind all objects and archives of the program's, whose
// definitions come first, and before the C library.

const (
	externalFlags = "-extldflags"
	importConfig  = "-importcfg"
)

// beforeLink adds that object to the arguments of Go's linker, and what trace.c has to know.
func (c *Config) beforeLink(args []string) ([]string, error) {
	lines, archives, err := linked(args)
	if err != nil {
		return nil, err
	}
	if crosses, err := linksCalls(archives); err != nil || !crosses {
		return args, err
	}
	found, err := c.search(lines)
	if err == nil {
		args, err = c.renamed(args, lines, found.enter)
	}
	if mode := flagValue(args, "-buildmode"); err != nil || mode == "c-archive" || mode == "plugin" {
		return args, err
	}
	var words, objects []string
	if users := flagValue(args, externalFlags); users != "" {
		words = append(words, users)
	}
	words = append(words, "-Wl,--eh-frame-hdr") // cfi.c wants it; compilers leave it out of static programs
	if found.setsTraceback {
		object, err := c.tracebackObject()
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	if !c.Static {
		names, err := taken(archives, flagValue(args, externalFlags))
		if err != nil {
			return nil, err
		}
		behind, err := linksLibrary(archives, flagValue(args, externalFlags))
		if err != nil {
			return nil, err
		}
		object, err := c.namesObject(names, behind)
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	for _, object := range objects {
		word, err := quote(object)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return append([]string{externalFlags + "=" + strings.Join(words, " ")}, without(args, externalFlags)...), nil
}

// tracebackObject says so to trace.c. Not all linkers know --defsym: zig's does not.
func (c *Config) tracebackObject() (string, error) {
	file, err := c.once(OwnPrefix+"traceback", func(file string) error {
		return c.translate(translation{by: cCompiler, what: "a constant", file: file,
			source: "const char _wherry_sets_traceback = 1;\n", shared: true}, nil)
	})
	return file + ".o", err
}

// without removes a flag and its value.
func without(args []string, name string) (rest []string) {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == name:
			i++
		case !strings.HasPrefix(args[i], name+"="):
			rest = append(rest, args[i])
		}
	}
	return rest
}

// namesObject compiles the object without some names, once for a build, and returns its path. It may
// come behind the C library in the link.
func (c *Config) namesObject(without []string, behind bool) (string, error) {
	name := OwnPrefix + "names"
	if len(without) > 0 || behind {
		name += fmt.Sprintf("-%x", sha256.Sum256(fmt.Appendf(nil, "%t %s", behind, strings.Join(without, " "))))
	}
	file, err := c.once(name, func(file string) error {
		library, err := c.library()
		if err != nil {
			return err
		}
		source, err := c.target().Names(library, c.Versions, behind, without)
		if err != nil {
			return err
		}
		return c.translate(translation{by: cCompiler, what: "functions of the C library", file: file, source: source, shared: true}, nil)
	})
	return file + ".o", err
}

// linked reads the linker's configuration, and lists the archives of the packages that are linked.
func linked(args []string) (lines, archives []string, err error) {
	text, err := os.ReadFile(flagValue(args, importConfig))
	if err != nil {
		return nil, nil, fmt.Errorf("accel: %w", err)
	}
	lines = strings.Split(string(text), "\n")
	archives = []string{args[len(args)-1]}
	for _, line := range lines {
		if file, ok := strings.CutPrefix(strings.TrimSpace(line), "packagefile "); ok {
			_, path, _ := strings.Cut(file, "=")
			archives = append(archives, path)
		}
	}
	return lines, slices.Compact(archives), nil
}

// linksCalls reports whether one of the packages has calls of wherry's.
func linksCalls(archives []string) (bool, error) {
	for _, archive := range archives {
		found, err := hasMember(archive, callsMember)
		if err != nil || found {
			return found, err
		}
	}
	return false, nil
}
