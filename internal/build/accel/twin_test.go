package accel

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Twins are C without a warning, below a preamble that empties C's words, and have the
// types that their registers ask for.
func TestTwin(t *testing.T) {
	integer, float := part{Value: value{Size: 4}, Path: "p0"}, part{Value: value{Size: 4, Float: true}, Path: "r1", Offset: 8}
	for name, test := range map[string]struct {
		twinText
		want string
	}{
		"frame":   {twinText{"_cgo_1_Cfunc_f", "int", "\treturn *(int *)v;\n", nil}, "int _wherry_frame_1_Cfunc_f(void *v)"},
		"nothing": {twinText{"_cgo_1_Cfunc_f", "void", "\t(void)v;\n", &signature{}}, "void _wherry_twin_1_Cfunc_f(void)"},
		"one": {twinText{"_cgo_1_Cfunc_f", "void", "\t(void)v;\n", &signature{Params: []part{integer}, Results: []part{float}, Size: 16}},
			"float _wherry_twin_1_Cfunc_f(unsigned long long _wherry_p0)"},
		"and errno": {twinText{"_cgo_1_C2func_f", "int", "\tint _cgo_errno = *(int *)v = 1;\n" + returnsErrno,
			&signature{Results: []part{float}, Errno: true, Size: 16}},
			"_wherry_results_1_C2func_f _wherry_twin_1_C2func_f(void)"},
	} {
		text := test.text()
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: want %q in\n%s", name, test.want, text)
		}
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Log("not compiled: ", err)
			continue
		}
		gcc := exec.Command("gcc", "-x", "c", "-Wall", "-Werror", "-c", "-o", filepath.Join(t.TempDir(), "twin.o"), "-")
		gcc.Stdin = strings.NewReader("#include <errno.h>\nextern char *_cgo_topofstack(void);\n" +
			"#define typedef\n#define __noinline__ wrong\n" + text)
		if out, err := gcc.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s\n%s", name, err, out, text)
		}
	}
}
