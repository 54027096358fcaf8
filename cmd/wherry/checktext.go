package main

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
)

func writeText(w io.Writer, judgements []*judgement) error {
	for i, j := range judgements {
		if len(judgements) > 1 {
			if i > 0 {
				fmt.Fprintln(w)
			}
			fmt.Fprintf(w, "%s:\n", j.name)
		}
		counts := map[check.Verdict]int{}
		for k := range j.results {
			r := &j.results[k]
			counts[r.Verdict]++
			fmt.Fprintln(w, line(r))
			for _, h := range r.Hazards {
				fmt.Fprintf(w, "    %v: %s\n", h.Class, pathText(&h))
			}
		}
		for _, missing := range j.missing {
			fmt.Fprintf(w, "library not found: %s\n", missing)
		}
		_, err := fmt.Fprintf(w, "%d safe, %d unsafe, %d unknown\n", counts[check.Safe], counts[check.Unsafe], counts[check.Unknown])
		if err != nil {
			return err
		}
	}
	return nil
}

// line is the summary of one function.
func line(r *check.Result) string {
	stack := "stack without bound"
	if r.Stack >= 0 {
		stack = fmt.Sprintf("%d bytes of stack", r.Stack)
	}
	loops := "no loops"
	if r.Loops {
		loops = "loops"
	}
	text := fmt.Sprintf("%s: %v, %s, %s", r.Name, r.Verdict, stack, loops)
	for _, note := range r.Notes {
		text += ", " + note.String()
	}
	var user []string
	for _, a := range r.Assumptions {
		if a.User {
			user = append(user, a.Pos)
		}
	}
	if len(user) > 0 {
		text += ", assuming " + strings.Join(user, ", ")
	}
	return text
}

func pathText(h *check.Hazard) string {
	var parts []string
	for _, f := range h.Path {
		part := f.Function
		if f.File != "" {
			part += fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, " -> ")
	if h.Detail != "" {
		text += ": " + h.Detail
	}
	return text
}

// The JSON of a target. Fields may be added, none renamed.
type jsonTarget struct {
	Target    string         `json:"target"`
	BuildID   string         `json:"build_id"`
	Functions []jsonFunction `json:"functions"`
	Missing   []string       `json:"missing_libraries,omitempty"`
}

type jsonFunction struct {
	Name        string        `json:"name"`
	Verdict     check.Verdict `json:"verdict"`
	Stack       int64         `json:"stack"` // -1: no bound
	Loops       bool          `json:"loops"`
	Hazards     []jsonHazard  `json:"hazards"`
	Notes       []check.Note  `json:"notes,omitempty"`
	Assumptions []string      `json:"assumptions"`
}

type jsonHazard struct {
	Class  check.Class `json:"class"`
	Path   []string    `json:"path"`
	Where  []string    `json:"where,omitempty"` // file:line, one for each of the path
	Detail string      `json:"detail,omitempty"`
}

func writeJSON(w io.Writer, judgements []*judgement) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "\t")
	encoder.SetEscapeHTML(false)
	for _, j := range judgements {
		t := jsonTarget{Target: j.name, BuildID: j.buildID, Functions: []jsonFunction{}, Missing: j.missing}
		for i := range j.results {
			r := &j.results[i]
			f := jsonFunction{r.Name, r.Verdict, r.Stack, r.Loops, []jsonHazard{}, r.Notes, []string{}}
			for _, h := range r.Hazards {
				hazard := jsonHazard{Class: h.Class, Detail: h.Detail}
				located := false
				for _, frame := range h.Path {
					hazard.Path = append(hazard.Path, frame.Function)
					hazard.Where = append(hazard.Where, frame.Where())
					located = located || frame.Where() != ""
				}
				if !located {
					hazard.Where = nil
				}
				f.Hazards = append(f.Hazards, hazard)
			}
			for _, a := range r.Assumptions {
				f.Assumptions = append(f.Assumptions, a.Pos+": "+a.Text)
			}
			t.Functions = append(t.Functions, f)
		}
		if err := encoder.Encode(t); err != nil {
			return err
		}
	}
	return nil
}

// suggest prints policy lines that users may want, as comments: what is proved needs
// none.
func suggest(w io.Writer, judgements []*judgement) error {
	for _, j := range judgements {
		if j.pkg == "" {
			return usageError{fmt.Errorf("check: -suggest needs Go packages; %s is none", j.name)}
		}
		var callers, unknown []string
		for i := range j.results {
			r := &j.results[i]
			switch {
			case len(r.Hazards) == 1 && r.Hazards[0].Class == check.Callback:
				callers = append(callers, r.Name)
			case slices.ContainsFunc(r.Hazards, func(h check.Hazard) bool { return h.Class.Uncertain() }):
				unknown = append(unknown, r.Name)
			}
		}
		for _, group := range []struct {
			why   string
			mode  string
			names []string
		}{
			{"these call back into Go and do nothing else", "reentrant", callers},
			{"the code does not show whether these call back into Go; for one that does not", "nocallback", unknown},
		} {
			if len(group.names) == 0 {
				continue
			}
			slices.Sort(group.names)
			fmt.Fprintf(w, "# %s: %s\n", j.pkg, group.why)
			for _, name := range group.names {
				fmt.Fprintf(w, "# %s %s %s\n", j.pkg, name, group.mode)
			}
		}
	}
	return nil
}
