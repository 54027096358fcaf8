package sax

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

func needsExpat(t testing.TB) {
	t.Helper()
	if err := open(); err != nil {
		t.Skip(err)
	}
}

// byGo is the oracle: encoding/xml's tally of the same document.
func byGo(t testing.TB, text []byte) (got tally) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for depth := 0; ; {
		token, err := d.Token()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			got.start([]byte(token.Name.Local))
			for _, a := range token.Attr {
				got.attribute([]byte(a.Name.Local), []byte(a.Value))
			}
		case xml.EndElement:
			depth--
			got.end([]byte(token.Name.Local))
		case xml.CharData:
			if depth > 0 { // Expat is silent about what stands outside of the root
				got.text(token)
			}
		}
	}
}

func TestParse(t *testing.T) {
	needsExpat(t)
	for _, n := range []int{0, 1, 1000, 20_000} {
		text := document(n)
		var got tally
		if err := parse(bytes.NewReader(text), &got); err != nil {
			t.Fatal(err)
		}
		if want := byGo(t, text); got != want || got.voyages != n {
			t.Errorf("%d voyages: Expat gives %+v, encoding/xml %+v", n, got, want)
		}
	}
}

func TestSyntaxError(t *testing.T) {
	needsExpat(t)
	err := parse(strings.NewReader("<log>\n<voyage></log>"), new(tally))
	if err == nil || err.Error() != "line 2: mismatched tag" {
		t.Errorf("got error %v", err)
	}
}

// BenchmarkParse reads a document of about 6 MB per operation.
func BenchmarkParse(b *testing.B) {
	needsExpat(b)
	text := document(50_000)
	want := byGo(b, text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var got tally
		if err := parse(bytes.NewReader(text), &got); err != nil {
			b.Fatal(err)
		}
		if got != want {
			b.Fatalf("got %+v, want %+v", got, want)
		}
	}
}
