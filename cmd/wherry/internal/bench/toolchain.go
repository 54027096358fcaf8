package bench

import (
	"debug/buildinfo"
	"fmt"
)

// goVersion reads which Go built a target. The two builds must come from the
// same one: otherwise their difference would not be wherry's.
func goVersion(t *Target) (string, error) {
	var found [2]string
	for _, v := range variants {
		info, err := buildinfo.ReadFile(t.executable(v))
		if err != nil {
			return "", fmt.Errorf("bench: %s: the executable built %s is not one of Go: %w", t.Package, v.how(), err)
		}
		found[v] = info.GoVersion
	}
	return agreed(t.Package, found)
}

func agreed(pkg string, found [2]string) (string, error) {
	if found[cgo] != found[wherry] {
		return "", fmt.Errorf("bench: %s: built by %s without and by %s with wherry; build both with the same Go (see GOTOOLCHAIN)", pkg,
			found[cgo], found[wherry])
	}
	return found[cgo], nil
}
