package accel

import (
	"strings"
	"testing"
)

// Of an object of Go's whose format is not known nobody can say what it refers to.
func TestUnknownObjects(t *testing.T) {
	for text, known := range map[string]bool{
		"go object linux amd64 go1.99\n!\n\x00go199ld crosscall2":       false,
		"go object linux amd64 go1.99\n!\n\x00go199ld other":            true,
		"go object linux amd64 go1.26\n!\n\x00go120ld other crosscall2": true,
		"another file that has crosscall2":                              true,
	} {
		archive := newArchive(t, member{"__.PKGDEF", []byte("go object, crosscall2")}, member{"_go_.o", []byte(text)})
		found, err := new(Config).search([]string{"packagefile example.com/p=" + archive})
		if known != (err == nil) || len(found.enter) > 0 || err != nil && !strings.Contains(err.Error(), archive+": an object") {
			t.Errorf("%q: got %+v, %v, want known: %v", text, found, err, known)
		}
	}
}

// A package that embeds a text about runtime.SetCgoTraceback, or prints one, does not call it.
func TestNamesOfObjects(t *testing.T) {
	const setter = "runtime.SetCgoTraceback"
	object := func(names, data string) string {
		head := objectMagic + "12345678" + "\x00\x00\x00\x00"
		return "go object linux amd64 go1.26" + objectEnd + head + string([]byte{byte(len(head) + 4 + len(names)), 0, 0, 0}) + names + data
	}
	for text, calls := range map[string]bool{
		object("main."+setter, "text"):              true,
		object("main.main", "text about "+setter):   false,
		object("main.main", "text"):                 false,
		"go object linux amd64 go1.99 " + setter:    true, // of an unknown format
		objectEnd + objectMagic + "short " + setter: true,
	} {
		if got := strings.Contains(string(names([]byte(text))), setter); got != calls {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
