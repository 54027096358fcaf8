package measure

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A -bench pattern is not one regular expression: package testing splits it at
// slashes, one expression for each level of sub-benchmarks, and before that at
// bars into alternatives. Brackets and parentheses protect both.

// checkPattern finds a malformed pattern before anything runs, since a test
// binary would only say so in the middle of its output.
func checkPattern(pattern string) error {
	for _, alternative := range splitOutside(pattern, '|') {
		for _, level := range splitOutside(alternative, '/') {
			if _, err := regexp.Compile(level); err != nil {
				return fmt.Errorf("measure: -bench %q: %w", pattern, err)
			}
		}
	}
	return nil
}

// exactly returns the pattern that selects one benchmark, and sub-benchmarks of it.
func exactly(name string) string {
	levels := strings.Split(prefix+name, "/")
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(level) + "$"
	}
	return strings.Join(levels, "/")
}

// topLevel returns the expression that functions, without their sub-benchmarks,
// must match.
func topLevel(pattern string) string {
	alternatives := splitOutside(pattern, '|')
	for i, alternative := range alternatives {
		alternatives[i] = splitOutside(alternative, '/')[0]
	}
	return strings.Join(alternatives, "|")
}

// selects reports whether a pattern asks for this benchmark itself, and not only
// for sub-benchmarks of it.
func selects(pattern, name string) bool {
	parts := strings.Split(prefix+name, "/") // the pattern speaks of the function's whole name
	return slices.ContainsFunc(splitOutside(pattern, '|'), func(alternative string) bool {
		levels := splitOutside(alternative, '/')
		if len(levels) > len(parts) {
			return false
		}
		for i, level := range levels {
			if ok, err := regexp.MatchString(level, parts[i]); err != nil || !ok {
				return false
			}
		}
		return true
	})
}

// splitOutside splits at a separator that stands outside of brackets,
// parentheses and escapes.
func splitOutside(pattern string, separator byte) []string {
	var parts []string
	start, brackets, parens := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			brackets++
		case c == ']':
			brackets = max(0, brackets-1)
		case c == '(' && brackets == 0:
			parens++
		case c == ')' && brackets == 0:
			parens--
		case c == separator && brackets == 0 && parens == 0:
			parts = append(parts, pattern[start:i])
			start = i + 1
		}
	}
	return append(parts, pattern[start:])
}
