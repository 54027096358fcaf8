package crossing

import (
	"bytes"
	"compress/zlib"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Each address of a program has the line that package debug/dwarf finds, in all versions of debug
// information, compressed or not.
func TestLines(t *testing.T) {
	for _, c := range compilers {
		if c.sanitizes() {
			continue
		}
		all := []string{"-gdwarf-2", "-gdwarf-5 -gz=zlib", "-gdwarf-3 -gz=zlib -fuse-ld=gold"}
		switch {
		case c.run != nil:
			all = all[1:2] // its instructions have another size; the rest is the same
		case c.name() == "clang":
			all = []string{"-gdwarf-4 -gz=zlib", "-gdwarf-5 -no-pie -ffunction-sections"}
		}
		for _, flags := range all {
			t.Run(c.name()+" "+flags, func(t *testing.T) {
				t.Parallel()
				executable := c.build(t, Target{}, program(t, "lines.c"), strings.Fields(flags)...)
				out, err := c.runs(t, executable)("", "lines")
				if err != nil || !strings.HasSuffix(out, "\nok\n") {
					t.Fatalf("%v\n%.3000s", err, out)
				}
				want := linesOf(t, executable)
				lines := strings.SplitAfter(strings.TrimSuffix(out, "ok\n"), "\n")
				for _, line := range lines[:len(lines)-1] {
					var address uint64
					var got place
					if _, err := fmt.Sscanf(line, "%x %s %d\n", &address, &got.file, &got.line); err != nil {
						t.Fatalf("%q: %v", line, err)
					}
					w := want[address]
					// Package debug/dwarf puts a directory before each file of DWARF 5, and knows more of the older ones'.
					whole := strings.HasSuffix(w.file, got.file) && (path.IsAbs(got.file) || !strings.Contains(flags, "5"))
					if w.line != got.line || !whole {
						t.Fatalf("%x is %v, want %v", address, got, w)
					}
				}
				if got := len(lines) - 1; got < 10000 || got != len(want) {
					t.Errorf("%d addresses have lines, want %d", got, len(want))
				}
			})
		}
	}
}

type place struct {
	file string
	line int
}

// linesOf returns what package debug/dwarf knows of a program's code.
func linesOf(t *testing.T, executable string) map[uint64]place {
	t.Helper()
	f, err := elf.Open(executable)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.DWARF()
	if err != nil {
		t.Fatal(err)
	}
	text := f.Section(".text")
	all := map[uint64]place{}
	for units := info.Reader(); ; units.SkipChildren() {
		unit, err := units.Next()
		if err != nil {
			t.Fatal(err)
		}
		if unit == nil {
			return all
		}
		lines, err := info.LineReader(unit)
		if err != nil {
			t.Fatal(err)
		}
		if lines == nil {
			continue
		}
		before := dwarf.LineEntry{EndSequence: true}
		for l := before; ; before = l {
			if err := lines.Next(&l); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			for at := before.Address; !before.EndSequence && before.Line != 0 && at < l.Address; at++ {
				if at >= text.Addr {
					all[at] = place{path.Clean(before.File.Name), before.Line}
				}
			}
		}
	}
}

// Damaged line tables end the look for a line, and nothing beyond them is read. What package zlib has
// compressed comes out again; what is damaged or cut does no harm.
func TestDamagedLines(t *testing.T) {
	pieces := piecesToInflate(t)
	for _, c := range []compiler{sanitizing, other} { // what only reads wrong shows there
		for _, version := range []string{"4", "5"} {
			t.Run(c.name()+" "+version, func(t *testing.T) {
				t.Parallel()
				run := c.runs(t, c.build(t, Target{Static: true}, program(t, "lines.c"), "-gdwarf-"+version))
				all := [][]string{{"damage", "100"}}
				if version == "5" { // to inflate is the same in both
					all = append(all, []string{"inflate", pieces})
				}
				for _, arguments := range all {
					if out, err := run("", arguments...); err != nil || out != "ok\n" {
						t.Errorf("%s: %v\n%s", arguments, err, out)
					}
				}
			})
		}
	}
}

// piecesToInflate returns the path of a file of texts, each compressed in all ways.
func piecesToInflate(t *testing.T) string {
	var pieces bytes.Buffer
	for _, text := range textsToInflate(t) {
		for level := zlib.HuffmanOnly; level <= zlib.BestCompression; level++ {
			var packed bytes.Buffer
			w, err := zlib.NewWriterLevel(&packed, level)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(text)
			w.Close()
			binary.Write(&pieces, binary.LittleEndian, []uint32{uint32(packed.Len()), uint32(len(text))})
			pieces.Write(packed.Bytes())
			pieces.Write(text)
		}
	}
	file := filepath.Join(t.TempDir(), "pieces")
	if err := os.WriteFile(file, pieces.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// textsToInflate are short (a fixed code), random (stored), repetitive (far and long copies), of few symbols
// and of many, whose codes are longer than what a table has at once.
func textsToInflate(t *testing.T) [][]byte {
	source, err := os.ReadFile("c/turn.c")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	random, skewed := make([]byte, 100_000), make([]byte, 200_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for i := range skewed {
		skewed[i] = byte(min(r.ExpFloat64()*12, 255))
	}
	return [][]byte{nil, []byte("a"), []byte("abcabcabcabc"), source[:100], source, bytes.Repeat(source, 5), random, skewed,
		bytes.Repeat([]byte{0}, 100_000), bytes.Repeat([]byte("ab"), 1000), append(random[:40_000:40_000], random[:40_000]...)}
}
