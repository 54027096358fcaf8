// Package nearest finds what somebody may have meant by a name that does not exist.
package nearest

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// DidYouMean returns the end of an error's text with the name that is nearest to a wrong
// one, which may be a glob. It is empty where none is near.
func DidYouMean(wrong string, names []string) string {
	near := Names(wrong, names)
	return Hint(near[:min(1, len(near))]...)
}

// Hint is that text of names that were found before; an empty name is none.
func Hint(names ...string) string {
	text := strings.Join(slices.DeleteFunc(names, func(name string) bool { return name == "" }), " or ")
	if text == "" {
		return ""
	}
	return "; did you mean " + text + "?"
}

// Names returns the names near to a wrong one, the nearest first: those that differ in
// case alone or match, those with few characters to change, and those that contain it.
func Names(wrong string, names []string) []string {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	lower := strings.ToLower(wrong)
	part := strings.Trim(lower, "*")
	some := 1 + len(wrong)/3 // characters that may be wrong
	for _, name := range names {
		far := distance(wrong, name)
		if ok, _ := path.Match(lower, strings.ToLower(name)); ok {
			far = 0
		}
		if far > some && len(part) > 3 && strings.Contains(strings.ToLower(name), part) {
			far = some
		}
		if far <= some {
			near = append(near, candidate{name, far})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var found []string
	for _, c := range near {
		if !slices.Contains(found, c.name) {
			found = append(found, c.name)
		}
	}
	return found
}

// distance counts the characters to insert, delete or replace (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
