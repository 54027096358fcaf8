package accel

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/regular"
)

// What wherry adds to a package's archive, of the ar format, are members of its own. The go
// command gives every file of a package, whatever its name is, a header with the time 0;
// wherry's have another. So no package can have a member that passes for one of wherry's.
const (
	archiveMagic  = "!<arch>\n"
	memberTime    = 1
	memberHead    = 60 // bytes: name, time, owner, group, mode, size, end
	memberSize    = 48 // where the size begins
	memberEnd     = "`\n"
	reportMember  = "wherry.report" // Go's linker skips a short name that ends in neither .o nor .syso
	callsMember   = "wherry_c.o"
	longestReport = 64 << 20
)

type member struct {
	name    string
	content []byte
}

func memberHeader(name string, size int) string {
	return fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d%s", name, memberTime, 0, 0, 0o644, size, memberEnd)
}

// appendMembers adds members to an archive.
func appendMembers(archive string, members []member) error {
	file, err := os.OpenFile(archive, os.O_APPEND|os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	defer file.Close()
	for _, m := range members {
		text := memberHeader(m.name, len(m.content)) + string(m.content)
		if len(m.content)%2 != 0 {
			text += "\x00" // members begin at even places
		}
		if _, err := file.WriteString(text); err != nil {
			return fmt.Errorf("accel: %w", err)
		}
	}
	return file.Close()
}

// An archiveError is an archive that is not as the go command writes it.
type archiveError struct {
	file string
	at   int64
	what string
}

func (e *archiveError) Error() string {
	return fmt.Sprintf("accel: %s: byte %d: %s; build with -a once", e.file, e.at, e.what)
}

// eachMember visits the members of an archive until visit returns false.
func eachMember(archive io.ReaderAt, size int64, visit func(head []byte, content *io.SectionReader) bool) error {
	head := make([]byte, memberHead)
	if n, err := archive.ReadAt(head[:len(archiveMagic)], 0); err != nil && err != io.EOF {
		return err
	} else if string(head[:n]) != archiveMagic {
		return &archiveError{what: "not an archive"}
	}
	for at := int64(len(archiveMagic)); at < size; {
		switch _, err := archive.ReadAt(head, at); {
		case err == io.EOF:
			return &archiveError{at: at, what: "truncated header of a member"}
		case err != nil:
			return err
		}
		digits := strings.TrimRight(string(head[memberSize:memberHead-len(memberEnd)]), " ")
		length, err := strconv.ParseUint(digits, 10, 62)
		if err != nil || !bytes.HasSuffix(head, []byte(memberEnd)) {
			return &archiveError{at: at, what: fmt.Sprintf("malformed header of a member %q", head)}
		}
		at += memberHead
		if int64(length) > size-at {
			return &archiveError{at: at, what: fmt.Sprintf("a member of %d bytes, in which %d are left", length, size-at)}
		}
		if !visit(head, io.NewSectionReader(archive, at, int64(length))) {
			return nil
		}
		at += int64(length + length%2)
	}
	return nil
}

// membersOf visits those of an archive in a file until visit returns false.
func membersOf(archive string, visit func(head []byte, content *io.SectionReader) bool) error {
	file, size, err := regular.Opener(os.OpenFile).Open(archive)
	if err != nil {
		return fmt.Errorf("accel: %w", err)
	}
	defer file.Close()
	err = eachMember(file, size, visit)
	if bad := (*archiveError)(nil); errors.As(err, &bad) {
		bad.file = archive
	} else if err != nil {
		err = fmt.Errorf("accel: %s: %w", archive, err)
	}
	return err
}

// ownMember has a member of wherry's own of a name read, and reports whether an archive has one.
func ownMember(archive, name string, read func(content *io.SectionReader) error) (found bool, err error) {
	own := memberHeader(name, 0)[:memberSize]
	var failed error
	err = membersOf(archive, func(head []byte, content *io.SectionReader) bool {
		if found = string(head[:memberSize]) == own; found {
			failed = read(content)
		}
		return !found
	})
	return found, cmp.Or(err, failed)
}

// hasMember reports whether an archive has a member of wherry's own of a name.
func hasMember(archive, name string) (bool, error) {
	return ownMember(archive, name, func(*io.SectionReader) error { return nil })
}

// object wraps a text in an ELF object without code or symbols: go tool nm and objdump want
// all members to be objects.
func object(name string, text []byte, arch string) ([]byte, error) {
	machine := elf.EM_X86_64
	if arch == "arm64" {
		machine = elf.EM_AARCH64
	}
	const headSize, sectionSize = 64, 64
	names := "\x00.text\x00.symtab\x00.strtab\x00" + name + "\x00"
	named := func(name string) uint32 { return uint32(strings.Index(names, name)) }
	noSymbol := make([]byte, elf.Sym64Size)
	stringsAt := uint64(headSize + len(noSymbol))
	textAt := stringsAt + uint64(len(names))
	padding := make([]byte, -(int(textAt)+len(text))&7)
	sections := []elf.Section64{
		{},
		{Name: named(".text"), Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC | elf.SHF_EXECINSTR), Off: headSize, Addralign: 1},
		{Name: named(".symtab"), Type: uint32(elf.SHT_SYMTAB), Off: headSize, Size: elf.Sym64Size, Link: 3, Info: 1, Addralign: 8,
			Entsize: elf.Sym64Size},
		{Name: named(".strtab"), Type: uint32(elf.SHT_STRTAB), Off: stringsAt, Size: uint64(len(names)), Addralign: 1},
		{Name: named(name), Type: uint32(elf.SHT_PROGBITS), Off: textAt, Size: uint64(len(text)), Addralign: 1},
	}
	head := elf.Header64{Type: uint16(elf.ET_REL), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT),
		Shoff: textAt + uint64(len(text)+len(padding)), Ehsize: headSize, Shentsize: sectionSize, Shnum: uint16(len(sections)), Shstrndx: 3}
	copy(head.Ident[:], elf.ELFMAG+string([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}))
	var out bytes.Buffer
	err := binary.Write(&out, binary.LittleEndian, &head)
	out.Write(slices.Concat(noSymbol, []byte(names), text, padding))
	err = errors.Join(err, binary.Write(&out, binary.LittleEndian, sections))
	return out.Bytes(), err
}
