package measure

import (
	"encoding/xml"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An element of a picture.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) get(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) number(t *testing.T, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(e.get(name), 64)
	if err != nil || !(v >= 0 && v < 1e5) {
		t.Fatalf("%s of %+v is no length", name, e)
	}
	return v
}

type box struct{ left, top, right, bottom float64 }

func (b box) meets(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// box is what an element covers; a text has the widest of the usual fonts, DejaVu Sans.
func (e *element) box(t *testing.T) box {
	x, y := e.number(t, "x"), e.number(t, "y")
	if e.XMLName.Local == "rect" {
		return box{x, y, x + e.number(t, "width"), y + e.number(t, "height")}
	}
	width, size := 0.0, e.number(t, "font-size")
	for _, letter := range e.Text {
		switch {
		case strings.ContainsRune("fijlrt.,:;/()- ", letter):
			width += 0.42 * size
		case strings.ContainsRune("mw%@", letter) || letter >= 'A' && letter <= 'Z':
			width += 0.97 * size
		default:
			width += 0.64 * size
		}
	}
	if e.get("font-weight") == "bold" {
		width *= 1.12
	}
	if anchor := e.get("text-anchor"); anchor == "end" {
		x -= width
	} else if anchor == "middle" {
		x -= width / 2
	}
	return box{x, y - 0.8*size, x + width, y + 0.25*size}
}

func drawn(t *testing.T, r *Result, all bool) *element {
	t.Helper()
	var text strings.Builder
	if err := r.WritePicture(&text, all); err != nil {
		t.Fatal(err)
	}
	var e element
	if err := xml.Unmarshal([]byte(text.String()), &e); err != nil {
		t.Fatalf("%v in\n%s", err, text.String())
	}
	return &e
}

func stored(t *testing.T) *Result {
	t.Helper()
	r, err := ReadJSON("testdata/crossings.json")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unusual is a run with two versions of Go, on a machine with a long name.
func unusual() *Result {
	r := fakeBenching(Noise{Others: 1})
	other := r.Packages[0]
	other.Go = "go1.27.0"
	r.Packages = append(r.Packages, other)
	r.CPU = strings.Repeat("Processor <&> ", 5)
	return r
}

// What shows pictures agrees on these elements and attributes, and not on much else: with
// no others nothing is run or loaded, and a picture looks alike everywhere. It has a
// ground of its own, on light and dark pages, and all texts have room.
func TestPictureIsPortable(t *testing.T) {
	attributes := strings.Fields("x y width height fill font-family font-size font-weight text-anchor")
	colour := regexp.MustCompile("^#[0-9a-f]{6}$")
	for name, p := range map[string]*element{"chosen": drawn(t, stored(t), false), "all": drawn(t, stored(t), true),
		"unusual": drawn(t, unusual(), true)} {
		whole := box{0, 0, p.number(t, "width"), p.number(t, "height")}
		if len(p.Attrs) != 4 || p.get("viewBox") != "0 0 "+p.get("width")+" "+p.get("height") {
			t.Errorf("%s: want a width, a height and a view of them: %v", name, p.Attrs)
		}
		if ground := p.Children[0]; ground.box(t) != whole || ground.get("fill") != white {
			t.Errorf("%s: want a ground: %+v", name, ground)
		}
		var before []element
		for _, e := range p.Children {
			if kind := e.XMLName.Local; kind != "rect" && kind != "text" || !colour.MatchString(e.get("fill")) || len(e.Children) > 0 {
				t.Errorf("%s: want a rect or a text with a colour: %+v", name, e)
			}
			for _, a := range e.Attrs {
				if !slices.Contains(attributes, a.Name.Local) {
					t.Errorf("%s: not everything that shows pictures knows %s: %+v", name, a.Name.Local, e)
				}
			}
			b := e.box(t)
			if b.left < 0 || b.top < 0 || b.right > whole.right || b.bottom > whole.bottom {
				t.Errorf("%s: outside of the picture: %+v", name, e)
			}
			if e.get("fill") == white || e.get("fill") == pale {
				continue
			}
			for _, other := range before {
				if other.box(t).meets(b) {
					t.Errorf("%s: %q (%v) on %q (%v)", name, e.Text, e.Attrs, other.Text, other.Attrs)
				}
			}
			before = append(before, e)
		}
	}
}

// A picture says what was measured in words for those who do not know the names.
func TestPictureInWords(t *testing.T) {
	text := func(p *element) string {
		var texts []string
		for _, e := range p.Children {
			texts = append(texts, e.Text)
		}
		return strings.Join(texts, "|")
	}
	for _, test := range []struct {
		picture *element
		want    []string
	}{
		{drawn(t, stored(t), false), []string{"C.add of two ints|", "|with wherry build||1.75 ns, 15.4 times as fast|", "|with direct.Bind|",
			"|a callback, 100 in one call|", "|through cgo||41.4 ns|", "|with package handle|", "|0.1 ns|1 ns|10 ns|100 ns|1 us|", "40 rounds"}},
		{drawn(t, stored(t), true), []string{"|through cgo, noescape|", "|purego|", "|landmark/memory|"}},
		{drawn(t, unusual(), true), []string{"|with wherry build, go1.26.8|", "Processor <&> ", "a goroutine and back",
			", on a noisy machine"}},
	} {
		for _, want := range test.want {
			if got := text(test.picture); !strings.Contains(got, want) {
				t.Errorf("no %s in %s", want, got)
			}
		}
	}
	if err := (&Result{Packages: []Package{{Benchmarks: []Benchmark{{Name: "x", NS: 1}}}}}).WritePicture(nil, false); err == nil {
		t.Error("no error for a run without anything that the picture shows")
	}
}
