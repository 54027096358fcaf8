package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Before each link Go's linker links a program of nothing five times, to find out which flags the
// C compiler's linker knows. That is most of the processes of a build in which little changed, and
// the answer is the same as long as the compiler, the linkers and the C library are: what gotool.Link
// keeps its own answers by.

// trivialProgram is that program.
const trivialProgram = "int main() { return 0; }"

// linkerFlags are those that are asked for, and that may stand beside them and read no file. Of
// others nothing is kept.
var linkerFlags = strings.Fields(`-m64 -pthread -static -static-pie -pie -no-pie -nopie -rdynamic -Qunused-arguments -mcpu=power10
	-Wl,--wrap=crosscall2 -Wl,--eh-frame-hdr -Wl,-z,nobtcfi -Wl,-z,relro -Wl,-z,now
	-Wl,--build-id=0x1234567890abcdef -Wl,--export-dynamic-symbol=main -Wl,--no-insert-timestamp
	-Wl,--compress-debug-sections=zlib -Wl,--compress-debug-sections=zlib-gabi`)

// asksLinker reports whether the command is such a question.
func (c *compilation) asksLinker() bool {
	n := len(c.args)
	i := slices.Index(c.args, "-o")
	if n < 4 || i < 0 || i+1 >= n || filepath.Base(c.args[n-1]) != "trivial.c" {
		return false
	}
	dir := filepath.Dir(c.args[n-1])
	if !filepath.IsAbs(dir) || filepath.Dir(c.args[i+1]) != dir {
		return false
	}
	for _, flag := range slices.Concat(c.args[:i], c.args[i+2:n-1]) {
		if !slices.Contains(linkerFlags, flag) {
			return false
		}
	}
	text, err := os.ReadFile(c.args[n-1])
	return err == nil && string(text) == trivialProgram
}

// answerForLinker answers such a question, from what is kept if it was asked before.
func (c *compilation) answerForLinker() (done bool, exit int) {
	if c.linker == "" || c.linkerName != filepath.Base(c.compiler) {
		return false, 0
	}
	stable := strings.NewReplacer(filepath.Dir(c.args[len(c.args)-1]), "$WORK")
	question := fmt.Sprintf("%q %q %s", c.linker, c.compiler, stable.Replace(fmt.Sprintf("%q", c.args)))
	c.key = fmt.Sprintf("flag-%x", sha256.Sum256([]byte(question)))
	if done, exit := c.recall(); done {
		return true, exit
	}
	messages, err := exec.Command(c.compiler, c.args...).CombinedOutput()
	os.Stderr.Write(messages)
	switch {
	case err == nil:
		c.kept.Put(c.key, outcome{messages: messages, object: []byte("linked")}.text())
		return true, 0
	case c.refused(string(messages)): // else it may go well another time
		c.kept.Put(c.key, outcome{messages: messages, failed: true}.text())
	}
	return true, 1
}

// refused reports whether the messages say of one of the command's flags that it is not known.
func (c *compilation) refused(messages string) bool {
	for line := range strings.Lines(messages) {
		if !strings.Contains(line, "unrecognized ") && !strings.Contains(line, "unknown ") {
			continue
		}
		for _, flag := range c.args {
			name, _, _ := strings.Cut(strings.TrimPrefix(flag, "-Wl,"), "=")
			if slices.Contains(linkerFlags, flag) && strings.Contains(line, name) {
				return true
			}
		}
	}
	return false
}
