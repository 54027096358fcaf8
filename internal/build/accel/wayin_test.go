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
