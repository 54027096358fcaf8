// Package gotool speaks with the go command: it reads its command lines and
// environment, decides whether a build can be accelerated, and runs it.
package gotool

import (
	"fmt"
	"slices"
	"strings"
)

// A Command is a command line of the go command, taken apart.
type Command struct {
	Verb     string   // build, run, test or install
	Flags    []string // the go command's, in order, each with its value: -tags=x
	Packages []string
	Rest     []string // what follows: a program's or test binary's arguments
	Report   string   // wherry's own flag: "", "text" or "json"

	words []string // all but wherry's own, in the user's order
}

// Flags of go build that take a value. All others are switches. `go help
// build` and `go help testflag` are the source; a test compares.
var valueFlags = words(`C p covermode coverpkg asmflags buildmode buildvcs compiler gccgoflags gcflags installsuffix
	ldflags mod modfile overlay pgo pkgdir tags toolexec o exec
	bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzzminimizetime
	fuzztime list memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run
	shuffle skip timeout trace vet vettool`)

// Flags that may stand alone or have a value after =.
var optionalValueFlags = words(`buildvcs vet`)

// Switches of go build and go test.
var switches = words(`a n race msan asan cover v work x linkshared modcacherw trimpath json i c
	failfast short benchmem fullpath artifacts args changed report`)

// knownFlag reports whether the go command knows a flag, with or without test.
func knownFlag(name string) bool {
	name = strings.TrimPrefix(name, "test.")
	return slices.Contains(valueFlags, name) || slices.Contains(switches, name)
}

// Flags of go build that decide how packages are compiled: go list must be
// given the same, or it speaks of another build.
var packageFlags = words(`C a race msan asan cover covermode coverpkg asmflags buildmode compiler gccgoflags gcflags
	installsuffix ldflags linkshared mod modcacherw modfile overlay pgo pkgdir tags trimpath p`)

func words(text string) []string { return strings.Fields(text) }

// Parse takes the words after `wherry VERB` apart. Only -report is wherry's.
func Parse(verb string, args []string) (*Command, error) {
	c := &Command{Verb: verb}
	all := args
	defer func() { c.words = dropFlag(all, "report", len(all)-len(c.Rest)) }()
	for len(args) > 0 {
		word := args[0]
		name, value, hasValue := cutFlag(word)
		switch {
		case word == "--":
			args = args[1:]
		case name == "" && verb == "test" && len(c.Packages) > 0:
			c.Rest = args // packages, flags, then this: the test binary's arguments
			return c, nil
		case name == "":
			c.Packages, args = leadingPackages(verb, args)
			if verb != "test" {
				c.Rest = args
				return c, nil
			}
		case verb == "test" && name == "args":
			c.Rest = args
			return c, nil
		case name == "report":
			if !hasValue {
				value = "text"
			}
			if value != "text" && value != "json" {
				return nil, fmt.Errorf("-report=%s: want -report or -report=json", value)
			}
			c.Report, args = value, args[1:]
		case verb == "test" && !knownFlag(name) && len(c.Packages) > 0:
			c.Rest = args // a flag of the test binary's own: go test takes no package behind it
			return c, nil
		case hasValue || !slices.Contains(valueFlags, strings.TrimPrefix(name, "test.")) || slices.Contains(optionalValueFlags, name):
			c.Flags, args = append(c.Flags, word), args[1:]
		case len(args) < 2:
			return nil, fmt.Errorf("flag %s needs a value", word)
		default:
			c.Flags, args = append(c.Flags, word+"="+args[1]), args[2:]
		}
	}
	return c, nil
}

// leadingPackages takes what go run, go test and go build each take for
// packages from words that begin with one.
func leadingPackages(verb string, words []string) (packages, rest []string) {
	n := len(words)
	switch verb {
	case "run": // one package, or several files
		n = 1
		for n < len(words) && strings.HasSuffix(words[0], ".go") && strings.HasSuffix(words[n], ".go") {
			n++
		}
	case "test": // up to the next flag
		if i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") }); i >= 0 {
			n = i
		}
	}
	return words[:n:n], words[n:]
}

func cutFlag(word string) (name, value string, hasValue bool) {
	if len(word) < 2 || word[0] != '-' || word == "--" {
		return "", "", false
	}
	name, value, hasValue = strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
	return name, value, hasValue
}

// Flag returns the value of the last flag of that name, "true" for a switch
// that stands alone.
func (c *Command) Flag(name string) (string, bool) { return lastFlag(c.Flags, name) }

func lastFlag(flags []string, name string) (string, bool) {
	for _, word := range slices.Backward(flags) {
		flag, value, hasValue := cutFlag(word)
		if flag != name {
			continue
		}
		if !hasValue {
			value = "true"
		}
		return value, true
	}
	return "", false
}

// PackageFlags returns the flags that go list must be given to speak of the
// same packages, compiled alike.
func (c *Command) PackageFlags() []string {
	var flags []string
	for _, word := range c.Flags {
		if name, _, _ := cutFlag(word); slices.Contains(packageFlags, name) {
			flags = append(flags, word)
		}
	}
	return flags
}

// Args returns the go command's arguments: the user's words in their order,
// with more flags in front if asked. Those that accelerate take the place of the user's, whose
// values they contain.
func (c *Command) Args(more ...string) []string {
	words := c.words
	if words == nil { // a command that was not parsed
		words = slices.Concat(c.Flags, c.Packages, c.Rest)
	}
	if len(more) == 0 {
		return append([]string{c.Verb}, words...)
	}
	for _, name := range []string{"toolexec", "tags"} {
		if _, ok := lastFlag(more, name); ok {
			words = dropFlag(words, name, len(words)-len(c.Rest))
		}
	}
	front := 0
	for front < len(words) { // -C has to stay the first flag
		name, _, hasValue := cutFlag(words[front])
		if name != "C" {
			break
		}
		front++
		if !hasValue && front < len(words) {
			front++
		}
	}
	return slices.Concat([]string{c.Verb}, words[:front], more, words[front:])
}

// dropFlag drops a flag, with its value where that is a word of its own, from
// the first n words.
func dropFlag(words []string, flag string, n int) []string {
	kept := []string{}
	for i := 0; i < len(words); i++ {
		name, _, hasValue := cutFlag(words[i])
		if i >= n || name != flag {
			kept = append(kept, words[i])
		} else if !hasValue && slices.Contains(valueFlags, flag) {
			i++
		}
	}
	return kept
}
