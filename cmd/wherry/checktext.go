package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/wherrygo/wherry/check"
)

func writeText(w io.Writer, judgements []*judgement) error {
	all := map[check.Verdict]int{}
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
			all[r.Verdict]++
			fmt.Fprintln(w, line(r))
			for _, h := range r.Hazards {
				fmt.Fprintf(w, "    %v: %s\n", h.Class, pathText(&h))
			}
		}
		for _, missing := range j.missing {
			fmt.Fprintf(w, "library not found: %s\n", missing)
		}
		if _, err := fmt.Fprintln(w, verdictCounts(counts)); err != nil {
			return err
		}
	}
	if len(judgements) > 1 {
		_, err := fmt.Fprintf(w, "\n%d targets: %s\n", len(judgements), verdictCounts(all))
		return err
	}
	return nil
}

func verdictCounts(counts map[check.Verdict]int) string {
	return fmt.Sprintf("%d safe, %d unsafe, %d unknown", counts[check.Safe], counts[check.Unsafe], counts[check.Unknown])
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
	for _, j := range judgements {
		t := jsonTarget{Target: j.name, BuildID: j.buildID, Functions: []jsonFunction{}, Missing: j.missing}
		for i := range j.results {
			r := &j.results[i]
			f := jsonFunction{r.Name, r.Verdict, r.Stack, r.Loops, []jsonHazard{}, r.Notes, []string{}}
			for _, h := range r.Hazards {
				hazard := jsonHazard{Class: h.Class, Detail: h.Detail}
				for _, frame := range h.Path {
					hazard.Path = append(hazard.Path, frame.Function)
					hazard.Where = append(hazard.Where, frame.Where())
				}
				if strings.Join(hazard.Where, "") == "" { // none is known
					hazard.Where = nil
				}
				f.Hazards = append(f.Hazards, hazard)
			}
			for _, a := range r.Assumptions {
				f.Assumptions = append(f.Assumptions, a.Pos+": "+a.Text)
			}
			t.Functions = append(t.Functions, f)
		}
		if err := writeIndented(w, t); err != nil {
			return err
		}
	}
	return nil
}
