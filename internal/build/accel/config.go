package accel

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
	"github.com/wherrygo/wherry/internal/build/toolversion"
	"github.com/wherrygo/wherry/internal/goruntime"
	"github.com/wherrygo/wherry/internal/libc"
)

// A Config is what the tools' front needs to know about a build. It travels
// in a file whose name stands in the -toolexec flag.
type Config struct {
	ID        string            `json:"id"`      // see Identify
	Wherry    string            `json:"wherry"`  // what tells wherry itself from others
	Version   string            `json:"version"` // wherry's
	GoVersion string            `json:"go_version"`
	GoRoot    string            `json:"goroot"`
	GoArch    string            `json:"goarch"`
	ToolDir   string            `json:"tooldir"`
	CC        []string          `json:"cc"` // the C compiler with its flags
	CXX       []string          `json:"cxx"`
	Own       []string          `json:"own"` // as CC, for wherry's own C
	Offsets   goruntime.Offsets `json:"offsets"`
	Rules     []policy.Rule     `json:"rules"`
	OnCgo     bool              `json:"on_cgo"`   // functions that no rule names; else their code decides
	Main      []Module          `json:"main"`     // the main modules: several in a workspace
	Overlay   map[string]string `json:"overlay"`  // files in the place of others
	Chain     []string          `json:"chain"`    // a -toolexec program of the user's own
	Count     bool              `json:"count"`    // crossings, for wherry stat
	Static    bool              `json:"static"`   // nothing stands before the C library's functions
	Wraps     bool              `json:"wraps"`    // the program's linker knows --wrap
	ForHost   bool              `json:"for_host"` // it becomes a library of a host program

	CLibrary []string `json:"c_library"` // the files of the C library, if they are known
	Versions bool     `json:"versions"`  // the linker keeps versions of what a program defines
	// A flag that the C compiler adds by itself, as a wrapper does, and that keeps packages on cgo; or "".
	Unsuitable string `json:"unsuitable"`
	// The C library's functions that wait and that the program does not define, and whether for a lock.
	Unseen map[string]bool `json:"unseen"`

	GoCache  string `json:"gocache"`
	Again    bool   `json:"again"`    // what is kept is made again
	Compiler string `json:"compiler"` // what tells the C compiler from others, if that is known
	Fronts   string `json:"fronts"`   // the folder in which the C compilers' names lead to wherry, or ""

	dir string // where it was read

	Answers map[string]string `json:"-"` // what tools say of their versions, by their paths, as far as that is known

	// Shared libraries that have become others since packages were built by them.
	Changed []Library `json:"changed"`
}

// A Module is a main module. It is no part of the ID: all modules share runtime/cgo and the packages
// that they need.
type Module struct{ Path, Dir string }

// SeeLibrary reads the C library, to know which of its functions the program does not define.
func (c *Config) SeeLibrary() error {
	c.Unseen = nil
	library, err := c.library()
	if err != nil || c.Static {
		return err
	}
	c.Unseen = unseenIn(library)
	return nil
}

// library is the C library, or nil if it is not known.
func (c *Config) library() (libc.Library, error) {
	if len(c.CLibrary) == 0 {
		return nil, nil
	}
	return libc.ReadLibrary(c.CLibrary)
}

// Identify computes the ID, given what tells wherry itself from others: it differs whenever
// two builds of one package could come out different. The go command makes it part of the
// build cache's keys, since the front adds it to the version that cgo reports.
func (c *Config) Identify(wherry string) {
	c.Wherry = wherry
	hash := sha256.New()
	fmt.Fprintf(hash, "%q\n", wherry)
	fmt.Fprintf(hash, "%q %q %+v\n", c.GoVersion, c.GoArch, c.Offsets)
	for _, rule := range c.Rules { // not their places: a comment in the policy changes nothing
		fmt.Fprintf(hash, "%q %q %q\n", rule.Package, rule.Glob, rule.Words())
	}
	fmt.Fprintf(hash, "%v %q %q %v %v %v %v %v\n", c.OnCgo, c.CC, c.CXX, c.Count, c.Static, c.Wraps, c.ForHost, c.Unseen)
	for _, l := range c.Changed {
		fmt.Fprintf(hash, "%q %q\n", l.Path, l.Identity)
	}
	c.ID = hex.EncodeToString(hash.Sum(nil))[:32]
}

// Write stores the configuration in a folder and gives the -toolexec flag's
// value that makes the go command use it.
func (c *Config) Write(dir, executable string) (toolexec string, err error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	path := filepath.Join(dir, "config.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	answers := maps.Clone(c.Answers)
	for tool, line := range answers {
		if filepath.Base(tool) == "cgo" && line != "" {
			answers[tool] = c.identified(line)
		}
	}
	if err := toolversion.Write(dir, answers); err != nil {
		return "", fmt.Errorf("accel: %w", err)
	}
	var words []string
	for _, word := range []string{executable, "toolexec", path} {
		quoted, err := quote(word)
		if err != nil {
			return "", err
		}
		words = append(words, quoted)
	}
	return strings.Join(words, " "), nil
}

// quote writes a word as the go command's flags of several words want it.
// They know both quotes, but no way to escape one.
func quote(word string) (string, error) {
	switch {
	case strings.Contains(word, `"`):
		return "", &QuoteError{word}
	case word != "" && !strings.ContainsAny(word, " \t\n\r'"):
		return word, nil
	case !strings.Contains(word, "'"):
		return "'" + word + "'", nil
	}
	return `"` + word + `"`, nil
}

// A QuoteError is a path with a double quote: GNU as does not read what gcc writes there, and with
// the other quote no flag of the go command can carry it.
type QuoteError struct{ Path string }

func (e *QuoteError) Error() string {
	return fmt.Sprintf("the path %s has a double quote, which the assembler cannot read", e.Path)
}

// becomeStatic ends a build that did not know that the program is static, as a package's
// #cgo LDFLAGS say. BecameStatic returns that later, for the next attempt.
func (c *Config) becomeStatic(pkg string) error {
	if err := os.WriteFile(filepath.Join(c.dir, staticMark), nil, 0o666); err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	return fmt.Errorf("%s says #cgo LDFLAGS: -static, so the program is built again as a static one; CGO_LDFLAGS=-static says it at once", pkg)
}

const staticMark = "static"

// BecameStatic reports whether a build by the configuration in a folder has ended so.
func BecameStatic(dir string) bool { return os.Remove(filepath.Join(dir, staticMark)) == nil }

func readConfig(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	config := &Config{dir: filepath.Dir(path)}
	if err := json.Unmarshal(text, config); err != nil {
		return nil, fmt.Errorf("accel: %s: %w", path, err)
	}
	return config, nil
}
