package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/gotool"
)

// readers begin flags that name files on which an object depends. A compiler may add them by itself, as a
// wrapper does: the command line does not show that, the answer to -### does.
var readers = []string{"-fplugin", "-load", "-fprofile", "-fauto-profile", "-fsanitize-ignorelist", "-fsanitize-blacklist",
	"-ivfsoverlay", "-fxray", "-frandomize-layout-seed-file"}

func readsFile(flag string) bool {
	return slices.ContainsFunc(readers, func(prefix string) bool { return strings.HasPrefix(flag, prefix) })
}

// identify returns a hash of what the compiler is for these flags. It is asked once for each
// flags of a build, and reports false for a compiler that does not know -###.
func (c *compilation) identify() (identity string, ok bool) {
	language := "c"
	if filepath.Ext(c.source) != ".c" {
		language = "c++"
	}
	var args []string
	for i := 0; i < len(c.args); i++ {
		switch arg := c.args[i]; {
		case arg == c.source, arg == "-c", arg == "-o"+c.out, strings.HasPrefix(arg, "-frandom-seed="):
		case arg == "-o":
			i++
		default:
			args = append(args, arg)
		}
	}
	args = append(args, "-x", language, "-c", "-o", os.DevNull, "-")
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %s", c.compiler, c.stable.Replace(fmt.Sprintf("%q", args)))
	entry := fmt.Sprintf("compiler-%x", hash.Sum(nil))
	if text, ok := c.build.Get(entry); ok {
		return string(text), true
	}
	hash.Reset()
	answer, ok := gotool.Describe(hash, c.stable, append([]string{c.compiler}, args...)...)
	if !ok || slices.ContainsFunc(gotool.SplitQuoted(answer), readsFile) {
		return "", false
	}
	identity = fmt.Sprintf("%x", hash.Sum(nil))
	c.build.Put(entry, []byte(identity))
	return identity, true
}
