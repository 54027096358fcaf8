package elf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A small file does not fill the memory: what is not debug information is not compressed, and of
// nothing is read.
func TestInflated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inflated.o")
	if output, err := exec.Command("cc", "-c", "-o", path, "testdata/inflated.S").CombinedOutput(); err != nil {
		t.Skipf("%v\n%s", err, output)
	}
	object, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Load("object", object); err == nil || !strings.Contains(err.Error(), "ET_REL") {
		t.Errorf("an object whose debug information is compressed: got %v", err)
	}
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table := binary.LittleEndian.Uint64(object[40:])
	for i, s := range file.Sections {
		if s.Type != elf.SHT_SYMTAB && s.Type != elf.SHT_STRTAB {
			continue
		}
		changed := append([]byte(nil), object...)
		flags := changed[table+64*uint64(i)+8:]
		binary.LittleEndian.PutUint64(flags, binary.LittleEndian.Uint64(flags)|uint64(elf.SHF_COMPRESSED))
		if _, err := Load("changed", changed); err == nil || !strings.Contains(err.Error(), s.Type.String()+" is compressed") {
			t.Errorf("%s is compressed: got %v", s.Name, err)
		}
	}
	// Of the old kind, which had no flag.
	renamed := bytes.Replace(object, []byte(".symtab\x00"), []byte(".zdebug\x00"), 1)
	if _, err := Load("renamed", renamed); err == nil || !strings.Contains(err.Error(), `".zdebug" of type SHT_SYMTAB is compressed`) {
		t.Errorf("a .symtab with the name .zdebug: got %v", err)
	}
	// Sections without end, at one place.
	endless := bytes.Clone(object)
	binary.LittleEndian.PutUint32(endless[58:], 0) // their size in the table, and how many they are
	binary.LittleEndian.PutUint64(endless[table+32:], 1<<60)
	if _, err := Load("endless", endless); err == nil {
		t.Error("endless sections are read")
	}
}
