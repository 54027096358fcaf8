// Package sax reads a document of some megabytes with Expat, whose handlers are
// written in Go.
package sax

import (
	"bytes"
	"fmt"
)

// document generates a log of n voyages, some 130 bytes each.
func document(n int) []byte {
	cargoes := []string{"barley", "Portland stone", "coal &amp; coke", "passengers", "hay"}
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<log>\n")
	for i := range n {
		fmt.Fprintf(&b, "  <voyage id=\"%d\" boat=\"%d\">\n    <cargo>%s</cargo>\n    <from>Gr\u00fcnau</from><to>K\u00f6penick</to>\n    "+
			"<paid/>\n  </voyage>\n",
			i, i%40, cargoes[i%len(cargoes)])
	}
	b.WriteString("</log>\n")
	return b.Bytes()
}
