package main

import "testing"

// Of PATH's folders only wherry's own are passed over.
func TestIsFronts(t *testing.T) {
	for dir, want := range map[string]bool{
		"/cache/00/wherry/compilers-0123456789abcdef0123456789abcdef":  true,
		"/cache/00/wherry/compilers-0123456789abcdef0123456789abcdef/": true,
		"/opt/compilers-12": false,
		"/opt/my-compilers-0123456789abcdef0123456789abcdef":     false,
		"/opt/compilers-0123456789abcdef0123456789abcdef/bin":    false,
		"/opt/compilers-0123456789abcdef0123456789abcdef-master": false,
	} {
		if got := isFronts(dir); got != want {
			t.Errorf("%s: got %v, want %v", dir, got, want)
		}
	}
}
