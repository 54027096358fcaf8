package accel

import "testing"

func TestLineBreaks(t *testing.T) {
	for text, want := range map[string]string{
		"func() T { _cgoCheckPointer(p, nil); return /*line :26:68*/_Cfunc_f(p); }()": "func() T { _cgoCheckPointer(p, nil); \n" +
			"/*line :26:68*/return /*line :26:68*/_Cfunc_f(p); }()",
		"func() { _cgoCheckPointer(p, nil); /*line :2:6*/_C2func_f(p); }()": "func() { _cgoCheckPointer(p, nil); \n" +
			"/*line :2:6*//*line :2:6*/_C2func_f(p); }()",
		"x = `_cgoCheckPointer(p); return /*line :26:68*/_Cfunc_f(p)`": "",
		"// _cgoCheckPointer(p); return /*line :26:68*/_Cfunc_f(p)":    "",
		"a; return (/*line :26:68*/_Cfunc_f)(p)":                       "",
		"a; return /*line :26:68*/f(p)":                                "",
		"x := /*line :26:68*/_Cfunc_f(p)":                              "",
	} {
		if want == "" {
			want = text
		}
		if got := string(apply([]byte(text), lineBreaks([]byte(text)))); got != want {
			t.Errorf("of %s\ngot %s\nwant %s", text, got, want)
		}
	}
}
