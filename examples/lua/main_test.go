package main

import (
	"testing"

	"github.com/wherrygo/wherry/direct"
)

func TestRun(t *testing.T) {
	lua, err := direct.Open("liblua5.4.so.0")
	if err != nil {
		t.Skipf("%v (Debian: liblua5.4-0)", err)
	}
	const n = 10000
	if got, err := run(lua, []byte(program), n); err != nil || got != n*(n+1)*(2*n+1)/6 {
		t.Errorf("got %d, %v, want %d", got, err, n*(n+1)*(2*n+1)/6)
	}
	for text, want := range map[string]string{
		"return square(":    "the program does not compile",
		"return missing(1)": "the program fails",
		"return {}":         "the program's result is no integer",
	} {
		if got, err := run(lua, []byte(text+"\x00"), n); err == nil || err.Error() != want {
			t.Errorf("%s: got %d, %v, want that %s", text, got, err, want)
		}
	}
}
