package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/build/includes"
	"github.com/wherrygo/wherry/internal/kept"
)

// A compilation is one command line of a C compiler.
type compilation struct {
	compiler string
	args     []string
	source   string
	out      string            // the object; "" where only the messages matter
	question bool              // cgo asks: the object or the errors are the answer
	stable   *strings.Replacer // of names that differ from build to build
	again    bool              // what is kept is made again
	kept     *kept.Folder      // objects and answers, by their key
	build    *kept.Folder      // what the compilers are, for this build
	key      string
	holds    func() bool // what the key was made of is still the same; nil: nobody can change it

	linker, linkerName string // what its answers are kept by, if that is known, and the compiler's name
}

// A question of cgo's is in a file of this name in the folder for temporary files. A short
// one is answered faster than it is looked up.
const (
	questionPrefix = "cgo-gcc-input-"
	longQuestion   = 8 << 10
)

// unsuitable begin arguments by which a compiler reads or writes more than its file and
// the object, or for which an object depends on more.
var unsuitable = slices.Concat(readers, []string{"@", "--coverage", "-coverage", "-ftest-coverage", "-save-temps",
	"-M", "-specs", "-Wa,", "-Xassembler", "-x", "-gsplit-dwarf",
	"-fdump", "-E", "-S", "-###", "-flto", "-fcallgraph-info", "-fstack-usage", "-aux-info", "-fopt-info", "-fsave-optimization-record",
	"-foptimization-record", "-ftime-trace", "-Xclang", "-C", "-traditional", "-fdirectives-only", "-fmodule"})

// parse reports whether the command makes an object of one C file that stands elsewhere
// than the object: cgo's own files are in the folder of their objects, and wherry's.
func (c *compilation) parse() bool {
	if os.Getenv("DEPENDENCIES_OUTPUT") != "" || os.Getenv("SUNPRO_DEPENDENCIES") != "" { // and a list of files
		return false
	}
	compiles := false
	for i, arg := range c.args {
		switch {
		case arg == "-c":
			compiles = true
		case arg == "-o" && i+1 < len(c.args):
			c.out = c.args[i+1]
		case strings.HasPrefix(arg, "-o/"): // cgo's
			c.out = arg[len("-o"):]
		case slices.ContainsFunc(unsuitable, func(prefix string) bool { return strings.HasPrefix(arg, prefix) }):
			return false
		case slices.Contains([]string{".c", ".cc", ".cpp", ".cxx", ".S"}, filepath.Ext(arg)) && !strings.HasPrefix(arg, "-"):
			if c.source != "" {
				return false
			}
			c.source = arg
		}
	}
	if !compiles || c.source == "" || !filepath.IsAbs(c.out) {
		return false
	}
	work := filepath.Dir(c.out)
	if filepath.Ext(c.source) == ".S" && !filepath.IsAbs(c.source) {
		return false // a package's own, which may read files that the preprocessor does not see
	}
	if filepath.IsAbs(c.source) {
		info, err := os.Stat(c.source)
		c.question = err == nil && strings.HasPrefix(filepath.Base(c.source), questionPrefix) && info.Size() >= longQuestion
		c.stable = strings.NewReplacer(c.source, "$SOURCE", c.out, "$OUT", work, "$WORK")
		return c.question
	}
	c.stable = strings.NewReplacer(work, "$WORK")
	dir, err := os.Getwd()
	return err == nil && work != dir
}

// A direct leads to an object without the preprocessor, as long as the C file includes the same.
type direct struct {
	Key      string
	Includes *includes.Set
}

// find computes the key, and reports whether there is one.
func (c *compilation) find() bool {
	hash := sha256.New()
	dir, err := os.Getwd()
	identity, known := c.identify()
	if err != nil || !known {
		return false
	}
	fmt.Fprintf(hash, "%s %q %q\n", identity, dir, messageLanguage())
	var args []string
	for _, arg := range c.args {
		switch {
		case arg == "-c":
			args = append(args, "-E")
		case arg == c.out:
			args = append(args, "-")
		case arg == "-o"+c.out:
			args = append(args, "-o-")
		default:
			args = append(args, arg)
		}
		if !strings.HasPrefix(arg, "-frandom-seed=") { // the package's key
			fmt.Fprintf(hash, "%q\n", c.stable.Replace(arg))
		}
	}
	entry := fmt.Sprintf("direct-%x", sha256.Sum256(fmt.Appendf(hash.Sum(nil), "%q", includes.Environment())))
	work := filepath.Dir(c.out)
	var before direct
	if text, ok := c.kept.Get(entry); ok && !c.question && !c.again &&
		json.Unmarshal(bytes.ReplaceAll(text, []byte("$WORK"), []byte(work)), &before) == nil && before.Includes.Holds() {
		c.key, c.holds = before.Key, before.Includes.Holds
		return true
	}
	made, err := includes.Preprocess(dir, append([]string{c.compiler}, args...))
	if err != nil || readsMore(made.Text) {
		return false
	}
	c.stable.WriteString(hash, string(made.Text))
	if !c.question {
		files, ok := made.Files()
		sum := c.contents(files)
		if !ok || sum == "" {
			return false
		}
		fmt.Fprintf(hash, "%s\n", sum)
		c.holds = func() bool { return c.contents(files) == sum }
	}
	c.key = "object-" + hex.EncodeToString(hash.Sum(nil))
	if set, ok := made.Set(""); ok && !c.question {
		if text, err := json.Marshal(direct{c.key, set}); err == nil {
			c.kept.Put(entry, bytes.ReplaceAll(text, []byte(work), []byte("$WORK")))
		}
	}
	return true
}

// contents is a hash of what is in files, or "" if that cannot be read: warnings, which can be errors,
// depend on comments and tabs too.
func (c *compilation) contents(files []string) string {
	hash := sha256.New()
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		c.stable.WriteString(hash, string(text)) // a hash returns no error
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// messageLanguage is what chooses the language and the characters of warnings.
func messageLanguage() (values []string) {
	for _, name := range []string{"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG"} {
		values = append(values, os.Getenv(name))
	}
	return values
}

// An outcome is what is kept of a compilation. Where it failed there is no object.
type outcome struct {
	messages, object []byte
	failed           bool
}

// text begins with the length of the messages, in which anything may stand.
func (o outcome) text() []byte {
	return append(fmt.Appendf(nil, "%t %d\n%s", o.failed, len(o.messages), o.messages), o.object...)
}

func parseOutcome(text []byte) (o outcome, ok bool) {
	head, rest, ended := bytes.Cut(text, []byte("\n"))
	failed, digits, two := strings.Cut(string(head), " ")
	length, err := strconv.ParseUint(digits, 10, 32)
	if !ended || !two || err != nil || length > uint64(len(rest)) {
		return outcome{}, false
	}
	o = outcome{rest[:length], rest[length:], failed == "true"}
	if !bytes.Equal(o.text(), text) || o.failed != (len(o.object) == 0) {
		return outcome{}, false
	}
	return o, true
}

// compile takes the object from the cache, or has it made and puts it there. Of builds at
// the same time the first compiles and the others wait for it.
func (c *compilation) compile() (done bool, exit int) {
	if done, exit := c.recall(); done {
		return true, exit
	}
	defer c.kept.Lock(c.key)()
	if done, exit := c.recall(); done {
		return true, exit
	}
	cmd := exec.Command(c.compiler, c.args...)
	var messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = os.Stdout, &messages
	err := cmd.Run()
	os.Stderr.Write(messages.Bytes())
	said := c.rename(messages.Bytes(), c.source, "$SOURCE")
	if err != nil {
		exit = max(1, cmd.ProcessState.ExitCode()) // -1 for a signal
		if c.question && exit == 1 && isAnswer(said) {
			c.kept.Put(c.key, outcome{messages: said, failed: true}.text())
		}
		return true, exit
	}
	if c.holds != nil && !c.holds() { // somebody wrote meanwhile
		return true, 0
	}
	if object, err := os.ReadFile(c.out); err == nil {
		c.kept.Put(c.key, outcome{messages: said, object: object}.text())
	}
	return true, 0
}

// recall takes the object, or the answer, from the cache.
func (c *compilation) recall() (done bool, exit int) {
	if c.again {
		return false, 0
	}
	content, ok := c.kept.Get(c.key)
	if !ok {
		return false, 0
	}
	made, ok := parseOutcome(content)
	if !ok || !made.failed && c.out != "" && os.WriteFile(c.out, made.object, 0o666) != nil {
		return false, 0
	}
	os.Stderr.Write(c.rename(made.messages, "$SOURCE", c.source))
	if made.failed {
		return true, 1
	}
	return true, 0
}

// rename changes the name of a question's file, which is another each time.
func (c *compilation) rename(messages []byte, from, to string) []byte {
	if !c.question {
		return messages
	}
	return bytes.ReplaceAll(messages, []byte(from), []byte(to))
}

// isAnswer reports whether the errors are mistakes in C, and not that the compiler could
// not go on.
func isAnswer(messages []byte) bool {
	return bytes.Contains(messages, []byte(": error: ")) && !bytes.Contains(messages, []byte("fatal error: ")) &&
		!bytes.Contains(messages, []byte("internal compiler error"))
}
