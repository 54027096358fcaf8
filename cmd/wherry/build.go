package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/crossing/rt"
)

const helpBuild = `usage: wherry build|run|test|install [-report[=json]] [go flags] [packages] [arguments]

They do what go build, go run, go test and go install do, and take their
flags. Calls of C functions are fast, with no policy. A line on standard error
says how many functions are; -report says which, which not and why (build and
install write it to standard output, run and test to standard error).

The build is plain, and a line says so, where the fast path is not available:
-race, -msan, -asan, CGO_ENABLED=0, other systems than linux on amd64 and
arm64, a Go that is newer than the newest tested, the internal linker,
-linkshared, -buildmode=plugin and shared. WHERRY=off asks for that.

Examples:

	wherry build ./cmd/server
	wherry build -report=json -o server ./cmd/server > report.json
	wherry test -run TestStore ./...
	wherry run . -listen :8080

Environment of the build:

	WHERRY=off             build plainly
	WHERRY_DEFAULT=cgo     only what the policy names is accelerated
	WHERRY_UNTESTED_GO=1   accelerate with a Go newer than the newest tested

Environment of the program:

	WHERRY_VERBOSE=1       report on standard error when all calls go through cgo

See also: wherry help policy
`

const helpPolicy = `The file wherry.policy beside go.mod says how C functions are called; in a
workspace those of all its modules count, and one beside go.work. No function
needs a line. A line is

	import/path  glob  mode     # comment

where glob matches functions by the name that Go code uses, without C. (the
syntax of path.Match: * ? [a-z]), and mode is fast, cgo, reentrant or
nocallback. If several lines match a function, the mode that comes first in cgo,
fast, reentrant, nocallback wins. So "step fast" is an exception to "* nocallback",
but nothing is one to "* cgo". Two lines that differ only in the mode are an error. Another kind of line is

	include sub/wherry.policy

In the package itself, a Go file that imports "C" can say

	//wherry:fast NAME...
	//wherry:cgo NAME...
	//wherry:reentrant NAME...      or //wherry:reentrant=1M NAME...
	//wherry:nocallback NAME...

fast is the default: the call begins without telling Go's scheduler. When the
runtime wants the thread, when C calls a function of the C library that may
wait, and when C calls back into Go, the running call becomes a cgo call. You
promise nothing. A function whose calls are mostly long goes back to cgo, and
is tried again after 4,096 calls, then after twice as many; one that a line
calls fast, reentrant or nocallback does not go back. With WHERRY_DEFAULT=cgo
functions without a line stay on cgo.

cgo leaves a function on cgo. These stay on cgo without a line: functions that reach
a system call instruction outside the C library; functions whose code shows a
callback, if something in the program asks for stack bounds; functions that may
wait, if the C library is linked statically. A package whose C code is compiled with
-flto, -fsanitize and the like stays on cgo whatever a line says. -report gives the
reason. With GODEBUG=asyncpreemptoff=1 a program calls functions through cgo unless
they are proved short or a line names them.

reentrant runs C on a stack of its own (8 MB, or as in reentrant=1M; memory
is taken as it is touched), where callbacks into Go take a few nanoseconds.
A function whose code shows a callback, or passes an exported Go function on, or
that has called back 8 times, runs there without a line, unless something asks for
stack bounds. You promise
that C does not compare its stack pointer with the bounds of its thread's stack
and that the stack is large enough. Without memory for a stack the call runs on
the thread's own.

	WHERRY_CSTACK_SIZE=N    bytes of each C stack that has no size by its line
	WHERRY_CSTACK_DEPTH=N   nested calls on C stacks on one thread (1000)
	WHERRY_CSTACK_LIMIT=N   C stacks in the process (20000)
	WHERRY_CSTACK_DEBUG=1   report how much of the C stacks was used

nocallback is fast, and pointer arguments need not be allocated: they may stay
on the goroutine's stack. You promise that C does not call back into Go; a
callback is a panic. It does what #cgo nocallback and noescape do. Functions
that are proved not to call back need no line.
`

// An acceleration is a prepared build: the flag that makes the go command
// accelerate, or the reason why the build is plain.
type acceleration struct {
	env    *gotool.Env
	rules  []policy.Rule
	flag   string // -toolexec=...
	plain  error
	tmpdir string

	config     accel.Config
	executable string // wherry's
	renewals   int    // after which what was built before is not by the libraries that are there
}

func (a *acceleration) Close() { os.RemoveAll(a.tmpdir) }

// prepare reads the environment and the policy for a command. With count the
// packages count their crossings.
func prepare(c *gotool.Command, count bool) (*acceleration, error) {
	dir, _ := c.Flag("C")
	env, err := gotool.ReadEnv(dir)
	if err != nil {
		return nil, err
	}
	a := &acceleration{env: env, plain: env.PlainReason(c)}
	if a.plain != nil {
		return a, nil
	}
	var files []string
	for _, dir := range env.PolicyDirs() {
		files = append(files, relative(filepath.Join(dir, policy.FileName)))
	}
	if a.rules, err = policy.Load(files...); err != nil {
		return nil, err
	}
	if file := relative(filepath.Join(dir, policy.FileName)); !policyCounts(file, files, a.rules) {
		fmt.Fprintf(os.Stderr, "wherry: warning: %s is not read: only one beside the go.mod or go.work of this build counts, and what it "+
			"includes\n", file)
	}
	warnings, err := c.CheckPackages(a.rules)
	for _, warning := range warnings {
		fmt.Fprintf(os.Stderr, "wherry: warning: %v\n", warning)
	}
	if err != nil {
		return nil, err
	}
	tags, _ := env.Flag(c, "tags")
	offsets, err := env.Toolchain(tags).Offsets(cacheDir())
	if err != nil {
		a.plain = &rt.Unsupported{What: err.Error(), Remedy: "run wherry doctor"}
		return a, nil
	}
	if a.executable, err = os.Executable(); err != nil {
		return nil, err
	}
	mode, _ := env.Flag(c, "buildmode")
	library := mode == "c-shared" || mode == "c-archive"
	link := env.Link(c)
	a.config = accel.Config{
		GoVersion: env.GOVERSION, GoRoot: env.GOROOT, ToolDir: env.GOTOOLDIR, GoArch: env.GOARCH, Offsets: offsets,
		Rules: a.rules, Count: count, Static: link.Static, Wraps: link.Wraps, Library: library, Overlay: env.Overlay(c),
		CC: slices.Concat(gotool.SplitQuoted(env.CC), gotool.SplitQuoted(env.CGO_CFLAGS)), CXX: gotool.SplitQuoted(env.CXX),
	}
	switch value := os.Getenv("WHERRY_DEFAULT"); value {
	case "":
	case policy.Cgo.String():
		a.config.OnCgo = true
	default:
		return nil, fmt.Errorf("WHERRY_DEFAULT=%s: want cgo (only what the policy names is accelerated), or nothing", value)
	}
	for _, dir := range env.MainModules() {
		text, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
		a.config.Main = append(a.config.Main, accel.Module{Path: modfile.ModulePath(text), Dir: dir})
	}
	if user, ok := env.Flag(c, "toolexec"); ok {
		a.config.Chain = gotool.SplitQuoted(user)
	}
	a.config.Changed = changedLibraries(a.config.Main)
	if a.tmpdir, err = os.MkdirTemp("", "wherry-"); err != nil {
		return nil, err
	}
	if err := a.configure(); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// configure writes the configuration for the tools' front.
func (a *acceleration) configure() error {
	if err := a.config.Identify(a.executable); err != nil {
		return err
	}
	toolexec, err := a.config.Write(a.tmpdir, a.executable)
	if unquotable := new(accel.QuoteError); errors.As(err, &unquotable) {
		a.Close()
		a.plain = &rt.Unsupported{What: unquotable.Error(), Remedy: "move wherry or set TMPDIR"}
		return nil
	}
	a.flag = "-toolexec=" + toolexec
	return err
}

// policyCounts reports whether a policy, if it exists, is one of the files that were
// read, or has a rule that was.
func policyCounts(file string, read []string, rules []policy.Rule) bool {
	info, err := os.Stat(file)
	if err != nil {
		return true
	}
	for _, rule := range rules {
		read = append(read, rule.File)
	}
	return slices.ContainsFunc(read, func(path string) bool {
		other, err := os.Stat(path)
		return err == nil && os.SameFile(info, other)
	})
}

// build runs the go command's verb, accelerated.
func build(verb string, args []string) error {
	c, err := gotool.Parse(verb, args)
	if err != nil {
		return usageError{err}
	}
	a, err := prepare(c, false)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.plain != nil {
		fmt.Fprintf(os.Stderr, "wherry: plain build: %v\n", a.plain)
		return goCommand(c.Args())
	}
	if n, ok := a.env.Flag(c, "n"); ok && n == "true" { // nothing will be built
		return goCommand(c.Args(a.flag))
	}
	switch verb {
	case "run": // the summary belongs before the program's output
		packages, err := a.reports(c)
		tell(c, packages, err)
		return goCommand(c.Args(a.flag))
	case "test": // once the libraries are known; and the summary also comes when tests failed
		packages, unknown := a.reports(c)
		err := goCommand(c.Args(a.flag))
		return errors.Join(err, tell(c, packages, unknown))
	}
	compile := func() error { return goCommand(c.Args(a.flag)) }
	if err := a.compiling(compile); err != nil {
		return err
	}
	packages, unknown := a.reports(c)
	if a.renewals > 0 {
		if err := a.compiling(compile); err != nil {
			return err
		}
	}
	return tell(c, packages, unknown)
}

// tell prints the summary, or the report.
func tell(c *gotool.Command, packages reports, err error) error {
	if errors.Is(err, errNotFound) {
		return nil
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "wherry: no report: %v\n", err)
		return nil
	}
	out := os.Stdout
	if c.Verb == "run" || c.Verb == "test" {
		out = os.Stderr
	}
	switch c.Report {
	case "json":
		return packages.writeJSON(out)
	case "text":
		return packages.writeText(out)
	}
	packages.writeSummary(os.Stderr)
	return nil
}

// cacheDir is where facts about toolchains are kept: nowhere without a home,
// since others can write to a temporary folder.
func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "wherry")
}

// relative returns a path as the user would type it here, where that is shorter.
func relative(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}
