package accel

import (
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// A Function is one C function that a package calls, and what became of it.
type Function struct {
	Name       string      `json:"function"`             // as Go code says it: C.NAME
	Mode       policy.Mode `json:"mode,omitempty"`       // fast or reentrant; cgo, where it is kept, is left out
	NoCallback bool        `json:"nocallback,omitempty"` // it makes no callback
	Stack      int64       `json:"stack,omitempty"`      // bytes that the policy wants for a reentrant function
	Why        string      `json:"why"`
	Code       string      `json:"code,omitempty"`      // what its code shows, where a rule decided
	Assumed    bool        `json:"assumed,omitempty"`   // the rule contradicts that: it is the user's assumption
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
// can be neither lost nor out of date. The linker skips it.
type Report struct {
	Package     string     `json:"package"`
	Accelerated []Function `json:"accelerated"`
	Kept        []Function `json:"kept"`
	Warnings    []string   `json:"warnings,omitempty"`
	Mistaken    bool       `json:"mistaken,omitempty"` // some are an error in a main module, and this was built in none

	// Symbols that the package's C code takes from another package's.
	Missing []string `json:"missing,omitempty"`

	// Shared libraries that the facts rest on.
	Libraries []Library `json:"libraries,omitempty"`
}

// mostWarnings is how many of a package are worth reading. It may have as many mistakes as it likes.
const mostWarnings = 10

func firstWarnings(all []string) []string {
	if more := len(all) - mostWarnings; more > 0 {
		return append(all[:mostWarnings:mostWarnings], fmt.Sprintf("%d more warnings of this package", more))
	}
	return all
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

// member returns the member of the package's archive that carries the report.
func (r *Report) member(arch string) (member, error) {
	text, err := json.Marshal(r)
	if err == nil {
		text, err = object(reportMember, text, arch)
	}
	if err != nil {
		return member{}, fmt.Errorf("accel: BUG: writing the report of %s: %w", r.Package, err)
	}
	return member{reportMember, text}, nil
}

// ReadReport takes the report out of a package's archive. There is none, and
// no error, when the package was not looked at.
func ReadReport(archive string) (report *Report, err error) {
	_, err = ownMember(archive, reportMember, func(content *io.SectionReader) (err error) {
		if report, err = readReport(content); err != nil {
			return fmt.Errorf("accel: the report in %s is damaged: %w; build with -a once", archive, err)
		}
		return nil
	})
	return report, err
}

func readReport(content *io.SectionReader) (*Report, error) {
	if content.Size() > longestReport {
		return nil, fmt.Errorf("it has %d bytes", content.Size())
	}
	object, err := elf.NewFile(content)
	if err != nil {
		return nil, err
	}
	section := object.Section(reportMember)
	if section == nil || section.Type != elf.SHT_PROGBITS || section.Flags&elf.SHF_COMPRESSED != 0 {
		return nil, errors.New("its text is missing")
	}
	text, err := section.Data()
	if err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, err
	}
	return report, nil
}
