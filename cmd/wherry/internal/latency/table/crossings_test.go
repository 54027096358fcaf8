package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const lines = `{"bench":"call/add","variant":"cgo","procs":1,"ns":30,"lo":29,"hi":31,"min":28,"ratio_to_cgo":1,"ratio_lo":1,"ratio_hi":1,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
{"bench":"call/add","variant":"fast","procs":1,"ns":2.5,"lo":2.4,"hi":2.6,"min":2.3,"ratio_to_cgo":12,"ratio_lo":11,"ratio_hi":13,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
{"bench":"call/add","variant":"purego","procs":1,"ns":300,"lo":null,"hi":null,"min":290,"ratio_to_cgo":0.1,"ratio_lo":null,"ratio_hi":null,"scaling":1,"rounds":20,"go":"go1.26.8","goos":"linux","goarch":"amd64","cpu":"X"}
`

func TestMarkdown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte(lines), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	var all, short bytes.Buffer
	markdown(&all, rows, false)
	markdown(&short, shown(rows), true)
	for _, want := range []string{
		"| call/add | fast | 1 | 2.50 ns | 2.40 ns to 2.60 ns | 2.30 ns | 12 | 11.0 to 13.0 | 1.00 |\n",
		"| call/add | purego | 1 | 300 ns | too few rounds | 290 ns | 0.1 | too few rounds | 1.00 |\n",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no line %s in\n%s", want, all.String())
		}
	}
	if want := "| call/add | fast | 2.50 ns | 12 |\n"; !strings.HasSuffix(short.String(), want) {
		t.Errorf("no line %s in\n%s", want, short.String())
	}

	picture := filepath.Join(t.TempDir(), "picture.svg")
	if err := run(file, true, picture); err != nil {
		t.Fatal(err)
	}
	svg, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer svg.Close()
	for decoder := xml.NewDecoder(svg); ; {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestBadLines(t *testing.T) {
	for text, want := range map[string]string{"": "no line", "{}\n": ":1: not a line", lines + "x\n": ":4: not a line"} {
		file := filepath.Join(t.TempDir(), "run.json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := read(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}
