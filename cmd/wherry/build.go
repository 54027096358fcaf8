package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/wherrygo/wherry/internal/build/accel"
	"github.com/wherrygo/wherry/internal/build/gotool"
	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/goruntime"
	"github.com/wherrygo/wherry/internal/kept"
	"github.com/wherrygo/wherry/internal/temporary"
)

// An acceleration is a prepared build: the flag that makes the go command
// accelerate, or the reason why the build is plain.
type acceleration struct {
	env    *gotool.Env
	rules  []policy.Rule
	flags  []string // the go command's that accelerate
	plain  error
	tmpdir string
	kept   *kept.Folder // or nil
	again  bool         // -a

	config     accel.Config
	executable string // wherry's
	renewals   int    // after which what was built before is not by the libraries that are there
}

func (a *acceleration) Close() {
	a.kept.Close()
	temporary.Remove(a.tmpdir)
}

// prepare reads the environment and the policy for a command. With count the
// packages count their crossings.
func prepare(c *gotool.Command, count bool) (*acceleration, error) {
	dir, _ := c.Flag("C")
	env, err := gotool.ReadEnv(dir)
	if err != nil {
		return nil, err
	}
	a := &acceleration{env: env, plain: env.PlainReason(c)}
	if slices.ContainsFunc([]string{"n", "v", "x", "json"}, func(flag string) bool { return a.isSet(c, flag) }) {
		hideSteps() // the go command says itself what it does
	}
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
		fmt.Fprintf(stderr, "wherry: warning: %s is not read: only one beside the go.mod or go.work of this build counts, and what it "+
			"includes\n", file)
	}
	warnings, err := c.CheckPackages(a.rules)
	for _, warning := range warnings {
		fmt.Fprintf(stderr, "wherry: warning: %v\n", warning)
	}
	if err != nil {
		return nil, err
	}
	tags, _ := env.Flag(c, "tags")
	var offsets goruntime.Offsets
	var link gotool.Link
	var tools map[string]string
	if !a.onlyPrints(c) { // else nothing is run to find out
		a.kept, a.again = openKept(env), a.isSet(c, "a")
		doing("looking into the runtime of " + env.GOVERSION + ", once for all builds with it")
		if offsets, err = env.Toolchain(tags).Offsets(a.kept, a.again); err != nil {
			a.plain = &goruntime.Unsupported{What: err.Error(), Remedy: "run wherry doctor"}
			return a, nil
		}
		doing("asking the linker what it can do, once for all builds with it")
		link = env.Link(c, a.kept, a.again)
		tools = env.ToolVersions(a.kept, a.again)
	}
	if a.executable, err = os.Executable(); err != nil {
		return nil, err
	}
	// With this tag package internal/crossing/c leaves its own C out. Where it is not
	// accelerated it needs it.
	if compiler := slices.Concat(gotool.SplitQuoted(env.CC), gotool.SplitQuoted(env.CGO_CFLAGS),
		gotool.SplitQuoted(env.CGO_CPPFLAGS), link.Words); accel.UnsuitableFlag(compiler) == "" {
		words := strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' }) // as the go command takes them
		a.flags = []string{"-tags=" + strings.Join(append(words, accel.BuiltTag), ",")}
	}
	mode, _ := env.Flag(c, "buildmode")
	library := mode == "c-shared" || mode == "c-archive"
	// Who links an archive may have a static C library.
	static := link.Static || mode == "c-archive"
	a.config = accel.Config{
		Version:   own().Main.Version,
		GoVersion: env.GOVERSION, GoRoot: env.GOROOT, ToolDir: env.GOTOOLDIR, GoArch: env.GOARCH, Offsets: offsets,
		Answers: tools,
		Rules:   a.rules, Count: count, Static: static, Wraps: link.Wraps, ForHost: library, Overlay: env.Overlay(c),
		CLibrary: link.Libraries, Versions: link.Versions, Unsuitable: accel.UnsuitableFlag(link.Words),
		GoCache: env.GOCACHE, Again: a.again, Compiler: link.Compiler,
		CC: slices.Concat(gotool.SplitQuoted(env.CC), gotool.SplitQuoted(env.CGO_CFLAGS)), CXX: gotool.SplitQuoted(env.CXX),
		Own: slices.Concat(gotool.SplitQuoted(env.CC), accel.OwnFlags(gotool.SplitQuoted(env.CGO_CFLAGS))),
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
		a.config.Answers = nil // that program may add to what tools say of their versions, as ours does
	}
	a.config.Changed = changedLibraries(a.kept, a.config.Main)
	if a.tmpdir, err = temporary.Folder("wherry-"); err != nil {
		return nil, err
	}
	a.writeFront()
	doing("reading the C library")
	if err := a.configure(); err != nil {
		a.Close()
		return nil, err
	}
	watch(a.tmpdir)
	return a, nil
}

// onlyPrints reports whether the go command will say what it would run, and run nothing.
func (a *acceleration) onlyPrints(c *gotool.Command) bool { return a.isSet(c, "n") }

func (a *acceleration) isSet(c *gotool.Command, flag string) bool {
	text, _ := a.env.Flag(c, flag)
	is, err := strconv.ParseBool(text)
	return is && err == nil
}

// configure writes the configuration for the tools' front.
func (a *acceleration) configure() error {
	wherry, err := identity(a.executable, own())
	if err != nil {
		return err
	}
	if err := a.seeLibrary(wherry); err != nil {
		return err
	}
	a.config.Identify(wherry)
	toolexec, err := a.config.Write(a.tmpdir, a.executable)
	if unquotable := new(accel.QuoteError); errors.As(err, &unquotable) {
		a.Close()
		a.plain = &goruntime.Unsupported{What: unquotable.Error(), Remedy: "move wherry or set TMPDIR"}
		return nil
	}
	a.flags = append(a.flags, "-toolexec="+toolexec)
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
	leaveNothing()
	showSteps()
	defer hideSteps()
	a, err := prepare(c, false)
	if err != nil {
		return err
	}
	defer a.Close()
	if a.plain != nil {
		return a.buildPlainly(c)
	}
	if a.onlyPrints(c) {
		return goCommand(c.Args(a.flags...))
	}
	switch verb {
	case "run": // the summary belongs before the program's output
		packages, err := a.reports(c)
		if a.plain != nil {
			return a.buildPlainly(c)
		}
		hideSteps()
		if err := a.tell(c, packages, err); err != nil {
			return err
		}
		return goCommand(c.Args(a.flags...))
	case "test": // the summary also comes when tests failed
		return a.test(c)
	}
	compile := func() error { return goCommand(c.Args(a.writesGraph()...)) }
	if err := a.compiling(compile); err != nil {
		return err
	}
	packages, unknown := a.reports(c)
	if a.plain != nil {
		return a.buildPlainly(c)
	}
	if a.renewals > 0 {
		if err := a.compiling(compile); err != nil {
			return err
		}
	}
	hideSteps()
	return a.tell(c, packages, unknown)
}

func (a *acceleration) buildPlainly(c *gotool.Command) error {
	hideSteps()
	fmt.Fprintf(stderr, "wherry: plain build: %v\n", a.plain)
	return goCommand(c.Args())
}

// tell prints the summary, or the report. A package with mistakes may have been built as a dependency,
// where they are warnings.
func (a *acceleration) tell(c *gotool.Command, packages reports, err error) error {
	if errors.Is(err, errNotBuilt) {
		return nil
	}
	if err != nil {
		fmt.Fprintf(stderr, "wherry: no report: %v\n", err)
		return nil
	}
	out := stdout
	if c.Verb == "run" || c.Verb == "test" {
		out = stderr
	}
	switch c.Report {
	case "json":
		err = packages.writeJSON(out)
	case "text":
		err = packages.writeText(out)
	default:
		packages.writeSummary(stderr)
	}
	for _, report := range packages {
		if report.Mistaken && a.config.IsMain(report.Package) {
			err = errors.Join(err, fmt.Errorf("%s is in a main module: its warnings are errors", report.Package))
		}
	}
	return err
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
