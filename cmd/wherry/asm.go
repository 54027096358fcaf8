package main

import (
	"bytes"
	"strings"
)

// The preprocessor's text says all that an object depends on, except what the assembler reads
// by .include and .incbin. A directive may be composed, of strings, escapes, operands, macros of
// the assembler. But it has a dot, and an operand that begins with one is a label (.L) or has
// been named so by assembly. So assembly without a dot, and without an escape that could mean
// one, reads nothing. What else stands in strings gets to the assembler as a name, in an
// attribute, and is harmless as long as it cannot end its line.

// readsMore reports whether the object of a preprocessed text may depend on a file that the
// text does not show.
func readsMore(text []byte) bool {
	text, all := withoutOrigins(text)
	if !all {
		return true
	}
	for _, word := range []string{"asm", "attribute", "declspec", "[["} {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(word))
			if i < 0 {
				break
			}
			begin := at + i
			at = begin + len(word)
			if word == "[[" { // an attribute, as in C23 and C++, or a pattern in a string
				if after := bytes.TrimLeft(text[at:], " \t\n"); len(after) == 0 || !inName(after[0]) {
					continue
				}
				at = begin
			} else if !keyword(text, begin, at) {
				continue
			}
			if !harmlessRegion(text[at:], word == "asm") {
				return true
			}
			at = begin + len(word)
		}
	}
	return false
}

// withoutOrigins leaves out the lines that say where the next one is from: they may stand
// between any tokens. It reports whether no other line
// has the compiler read a file.
func withoutOrigins(text []byte) (rest []byte, all bool) {
	rest = make([]byte, 0, len(text))
	for line := range bytes.Lines(text) {
		if directive, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t"), []byte("#")); ok {
			directive = bytes.TrimLeft(directive, " \t")
			if len(directive) > 0 && '0' <= directive[0] && directive[0] <= '9' || bytes.HasPrefix(directive, []byte("define")) {
				continue // a macro that -g3 shows had its effect
			}
			for _, word := range []string{"embed", "include", "import"} {
				if bytes.HasPrefix(directive, []byte(word)) {
					return nil, false
				}
			}
			for _, word := range []string{"ident", "sccs"} { // a string for the assembler as it is, escapes too
				if bytes.HasPrefix(directive, []byte(word)) && bytes.IndexByte(directive, '\\') >= 0 {
					return nil, false
				}
			}
		}
		rest = append(rest, line...)
	}
	return rest, true
}

// keyword reports whether what stands there is a word that assembly or an attribute begins with.
func keyword(text []byte, begin, end int) bool {
	for begin > 0 && inName(text[begin-1]) {
		begin--
	}
	for end < len(text) && inName(text[end]) {
		end++
	}
	switch string(text[begin:end]) {
	case "asm", "_asm", "__asm", "__asm__", "__attribute", "__attribute__", "_declspec", "__declspec":
		return true
	}
	return false
}

func inName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// harmlessRegion reads from a keyword to the bracket that ends what it begins, and reports
// whether its strings are harmless. What it does not expect is not.
func harmlessRegion(text []byte, assembly bool) bool {
	for len(text) > 0 && (inName(text[0]) || bytes.IndexByte([]byte(" \t\n"), text[0]) >= 0) { // volatile, goto
		text = text[1:]
	}
	if len(text) == 0 || text[0] != '(' && text[0] != '[' {
		return false
	}
	if assembly && !bytes.HasPrefix(bytes.TrimLeft(text[1:], " \t\n"), []byte(`"`)) {
		return false // an expression, whose value is the assembly
	}
	for depth, i := 0, 0; i < len(text); i++ {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return true
			}
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(text) || text[end] != '"' || inName(text[i-1]) || !harmless(string(text[i+1:end]), assembly) {
				return false // inName: a raw string has other ends
			}
			i = end
		case '\'':
			return false
		}
	}
	return false
}

// harmless reports whether the content of a string is, as written.
func harmless(content string, assembly bool) bool {
	if !assembly {
		return !strings.Contains(content, `\`)
	}
	plain := strings.NewReplacer(`\n`, "", `\t`, "", `\"`, "", `\\`, "").Replace(content)
	return !strings.ContainsAny(plain, `.\`)
}
