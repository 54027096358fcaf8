package elf

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A member is one file of an archive.
type member struct {
	name string
	data []byte
}

// archive splits an archive of the System V or Go kind into its ELF members.
// Others (symbol tables, Go objects) are passed over.
func archive(data []byte) ([]member, error) {
	const header = 60
	var members []member
	var names []byte
	for pos := 8; pos < len(data); {
		if len(data)-pos < header {
			if len(bytes.TrimRight(data[pos:], "\n\x00")) == 0 {
				break
			}
			return nil, errors.New("truncated archive")
		}
		head := data[pos : pos+header]
		if string(head[58:60]) != "`\n" {
			return nil, fmt.Errorf("malformed archive: no member header at byte %d", pos)
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(head[48:58])))
		if err != nil || size < 0 || size > len(data)-pos-header {
			return nil, fmt.Errorf("truncated archive: the member at byte %d has no end", pos)
		}
		content := data[pos+header : pos+header+size]
		name := strings.TrimRight(string(head[:16]), " ")
		if name == "//" {
			names = content
		}
		if rest, ok := strings.CutPrefix(name, "/"); ok {
			if offset, err := strconv.Atoi(rest); err == nil && offset >= 0 && offset < len(names) {
				name, _, _ = strings.Cut(string(names[offset:]), "\n")
			}
		}
		if bytes.HasPrefix(content, []byte("\x7fELF")) {
			members = append(members, member{strings.TrimSuffix(name, "/"), content})
		}
		pos += header + size + size&1
	}
	if len(members) == 0 {
		return nil, errors.New("an archive without objects")
	}
	return members, nil
}
