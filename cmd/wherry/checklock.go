package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/check"
)

const lockHeader = "# Verdicts of wherry check. To accept changes: wherry check -lock FILE -update ...\n"

// lock writes the verdicts to a file, or compares them with what it holds.
func lock(name string, judgements []*judgement, update bool) error {
	now := map[string]string{}
	var order []string
	for _, j := range judgements {
		for i := range j.results {
			r := &j.results[i]
			key := j.name + " " + r.Name
			if _, ok := now[key]; !ok {
				order = append(order, key)
			}
			now[key] = verdictText(r)
		}
	}
	content, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) || update {
		var text strings.Builder
		text.WriteString(lockHeader)
		for _, key := range order {
			fmt.Fprintf(&text, "%s %s\n", key, now[key])
		}
		return os.WriteFile(name, []byte(text.String()), 0o644)
	}
	if err != nil {
		return usageError{err}
	}
	locked := map[string]string{}
	scanner := bufio.NewScanner(strings.NewReader(string(content)))
	for n := 1; scanner.Scan(); n++ {
		text := strings.TrimSpace(scanner.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		words := strings.SplitN(text, " ", 3)
		if len(words) < 3 {
			return usageError{fmt.Errorf("%s:%d: want `TARGET FUNCTION VERDICT`, got %q; write it again with -update", name, n, text)}
		}
		locked[words[0]+" "+words[1]] = words[2]
	}
	changed := false
	var out strings.Builder
	for _, key := range order {
		switch was, ok := locked[key]; {
		case !ok:
			fmt.Fprintf(&out, "%s: new, %s\n", key, now[key])
			changed = true
		case was != now[key]:
			fmt.Fprintf(&out, "%s: was %s, is %s\n", key, was, now[key])
			changed = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(locked)) {
		if _, ok := now[key]; !ok {
			fmt.Fprintf(&out, "%s: gone\n", key)
			changed = true
		}
	}
	if _, err := io.WriteString(stdout, out.String()); err != nil {
		return err
	}
	if changed {
		fmt.Fprintf(stderr, "wherry: verdicts differ from %s; if that is right, run again with -update\n", name)
		return exitError(1)
	}
	return nil
}

// verdictText is what is locked of a verdict: not the bytes of stack, which
// change with every compiler.
func verdictText(r *check.Result) string {
	text := r.Verdict.String()
	if r.Verdict == check.Safe && r.Loops {
		text += " loops"
	}
	for _, h := range r.Hazards {
		text += " " + h.Class.String()
	}
	return text
}
