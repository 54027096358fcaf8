package elf

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// NewFile is elf.NewFile for files of the machines that are known here. A compressed section may
// have any size when it is read. So of what it reads, and of what others read, nothing is
// compressed: only debug information may be.
func NewFile(r io.ReaderAt) (*elf.File, error) {
	read := func(at uint64, v any) error {
		return binary.Read(io.NewSectionReader(r, int64(at), 1<<10), binary.LittleEndian, v)
	}
	var head elf.Header64
	if err := read(0, &head); err != nil {
		return nil, err
	}
	class, data := elf.Class(head.Ident[elf.EI_CLASS]), elf.Data(head.Ident[elf.EI_DATA])
	if data == elf.ELFDATA2MSB {
		head.Machine = head.Machine>>8 | head.Machine<<8
	}
	if machine := elf.Machine(head.Machine); class != elf.ELFCLASS64 || data != elf.ELFDATA2LSB ||
		machine != elf.EM_X86_64 && machine != elf.EM_AARCH64 {
		return nil, fmt.Errorf("code for %v, %v; want x86-64 or arm64, little-endian", machine, class)
	}
	var section elf.Section64
	if int(head.Shentsize) < binary.Size(section) {
		return elf.NewFile(r) // which has no sections, or says what is wrong
	}
	count := uint64(head.Shnum)
	if count == 0 && head.Shoff != 0 && read(head.Shoff, &section) == nil {
		count = section.Size // more than there is room for in the header
	}
	for i := range count {
		if read(head.Shoff+i*uint64(head.Shentsize), &section) != nil {
			break // elf.NewFile says so
		}
		if elf.SectionFlag(section.Flags)&elf.SHF_COMPRESSED != 0 && elf.SectionType(section.Type) != elf.SHT_PROGBITS {
			return nil, fmt.Errorf("malformed: section %d of type %v is compressed", i, elf.SectionType(section.Type))
		}
	}
	file, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	for _, s := range file.Sections {
		if strings.HasPrefix(s.Name, oldCompressed) && s.Type != elf.SHT_PROGBITS {
			return nil, fmt.Errorf("malformed: section %q of type %v is compressed", s.Name, s.Type)
		}
	}
	return file, nil
}

// oldCompressed begins the names of compressed sections from before there was a flag. They begin
// with a word and their size.
const oldCompressed = ".zdebug"
