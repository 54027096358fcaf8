package accel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// A Function is one C function that a package calls, and what became of it.
type Function struct {
	Name       string      `json:"function"`             // as Go code says it: C.NAME
	Mode       policy.Mode `json:"mode,omitempty"`       // fast or reentrant; cgo, where it is kept, is left out
	NoCallback bool        `json:"nocallback,omitempty"` // it makes no callback
	Stack      int64       `json:"stack,omitempty"`      // bytes that the policy wants for a reentrant function
	Why        string      `json:"why"`
	Verdict    string      `json:"verdict,omitempty"`   // the checker's, where a rule decided
	Assumed    bool        `json:"assumed,omitempty"`   // the rule contradicts the verdict: it is the user's assumption
	ByPolicy   bool        `json:"by_policy,omitempty"` // a line of wherry.policy decided
	ByRule     bool        `json:"by_rule,omitempty"`   // that, or a directive
	Escapes    string      `json:"escapes,omitempty"`   // why what its arguments point to is allocated

	Checks float64 `json:"pointer_checks,omitempty"` // in a build that counts: of one call through cgo, on average

	// Of a function that stays on cgo: the word in a policy that would change it, if
	// there is one, and what the user promises by it.
	Word string `json:"word,omitempty"`
	Asks string `json:"asks,omitempty"`
}

// A Report says what was done to one package. It travels inside the package's
// archive, so it is at hand when the package comes from the build cache, and
// can be neither lost nor out of date. The linker drops it.
type Report struct {
	Package     string     `json:"package"`
	Accelerated []Function `json:"accelerated"`
	Kept        []Function `json:"kept"`
	Warnings    []string   `json:"warnings,omitempty"`

	// Symbols that the package's C code takes from another package's.
	Missing []string `json:"missing,omitempty"`

	// Shared libraries that the verdicts rest on.
	Libraries []Library `json:"libraries,omitempty"`
}

// add files a function in the report, once for both its forms; if one of them
// is kept, so is the function.
func (r *Report) add(f Function) {
	same := func(other Function) bool { return other.Name == f.Name }
	if slices.ContainsFunc(r.Kept, same) {
		return
	}
	i := slices.IndexFunc(r.Accelerated, same)
	switch {
	case f.Mode == policy.Cgo:
		if i >= 0 {
			r.Accelerated = slices.Delete(r.Accelerated, i, i+1)
		}
		r.Kept = append(r.Kept, f)
	case i < 0:
		r.Accelerated = append(r.Accelerated, f)
	}
}

// Modes counts the functions that left cgo: "3 fast, 2 reentrant, ".
func (r *Report) Modes() string {
	counts := map[policy.Mode]int{}
	for _, f := range r.Accelerated {
		counts[f.Mode]++
	}
	text := fmt.Sprintf("%d %s, ", counts[policy.Fast], policy.Fast)
	if n := counts[policy.Reentrant]; n > 0 {
		text += fmt.Sprintf("%d %s, ", n, policy.Reentrant)
	}
	return text
}

// Markers around the JSON text in an archive. They are put together at run
// time, so that wherry's own archive and executable do not have them.
var (
	reportStart = "wherry-" + "report-1<"
	reportEnd   = ">wherry-" + "report"
)

// declaration returns the Go variable that carries the report.
func (r *Report) declaration() (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("\nvar _wherry_report = %s\n", strconv.Quote(reportStart+string(text)+reportEnd)), nil
}

// ReadReport takes the report out of a package's archive. There is none, and
// no error, when the package was not looked at.
func ReadReport(archive string) (*Report, error) {
	content, err := os.ReadFile(archive)
	if err != nil {
		return nil, fmt.Errorf("accel: %w", err)
	}
	// A short string also stands, quoted, in the name of its symbol, so the
	// first occurrence need not be the text itself.
	seen := false
	for {
		_, rest, found := bytes.Cut(content, []byte(reportStart))
		if !found {
			break
		}
		seen = true
		text, _, found := bytes.Cut(rest, []byte(reportEnd))
		report := new(Report)
		if found && json.Unmarshal(text, report) == nil {
			return report, nil
		}
		content = rest
	}
	if seen {
		return nil, fmt.Errorf("accel: the report in %s is damaged; build with -a once", archive)
	}
	return nil, nil
}
