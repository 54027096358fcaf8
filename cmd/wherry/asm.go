package main

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// The preprocessor's text says all that a C file reads, except what its assembly reads by
// .include and .incbin. A directive may be composed: of adjacent strings, escapes, operands,
// alternatives, macros of the assembler. So instead of these two the harmless ones are
// listed, and a file with any other in its assembly, in whatever position, is not kept.

// harmless are the directives that read no file and define no macro.
var harmless = set(`byte 2byte 4byte 8byte short hword word long int quad octa ascii asciz string zero skip space fill float double
	single value uleb128 sleb128 inst xword dword align balign p2align org section pushsection popsection subsection previous globl
	global local weak weakref hidden protected internal type size set equ equiv symver comm lcomm ident att_syntax intel_syntax
	code16 code32 code64 arch arch_extension cpu fpu if ifdef ifndef ifeq ifne ifgt ifge iflt ifle ifb ifnb ifc ifnc else elseif
	endif error warning reloc`)

// sections begin their names, and .L and .cfi_ those of labels and of directives about frames.
var sections = regexp.MustCompile(`^(text|data|bss|rodata|note|gnu|init|fini|debug|tdata|tbss|comment|eh_frame|probes|stapsdt|` +
	`(init|fini|preinit)_array|ctors|dtors)([._]|$)|^L|^cfi_`)

// suffixes follow a name or an operand: v0.4s, b.eq, vadd.f32, 1.5, GLIBC_2.2.5.
var suffixes = regexp.MustCompile(`^([0-9]*[bhsdq]?|[a-z]{2}|[fisupb][0-9]{1,2}|[0-9]+(\.[0-9]+)*)$`)

// Messages of these attributes reach no assembler.
var messages = set("deprecated warning error unavailable message")

// plainName is what a section can be called, or an alias, without ending its directive.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_.$*-]*$`)

func set(text string) map[string]bool {
	all := map[string]bool{}
	for _, word := range strings.Fields(text) {
		all[word] = true
	}
	return all
}

// readsMore reports whether the object of a preprocessed text may depend on a file that the
// text does not show.
func readsMore(text []byte) bool {
	s := &asmScanner{text: text}
	for {
		switch word, kind := s.next(); kind {
		case endOfText:
			return s.lost
		case lineOf:
			if s.directive() {
				return true
			}
		case identifier:
			switch string(word) {
			case "asm", "__asm", "__asm__":
				if !s.statement() {
					return true
				}
			case "__attribute__", "__attribute", "__declspec":
				if !s.region(false) {
					return true
				}
			}
		case '[':
			if s.at < len(text) && text[s.at] == '[' { // an attribute, as in C23 and C++
				s.at--
				if !s.region(false) {
					return true
				}
			}
		}
	}
}

// An asmScanner reads tokens. Nothing but raw strings, which it does not read, goes over a line.
type asmScanner struct {
	text []byte
	at   int
	lost bool // there is what it does not understand
}

// Kinds of tokens; others are their own character.
const (
	endOfText  = -1 - iota
	lineOf     // a # that begins a line
	identifier // or a number
	literal    // the content of a string, as written
	lineEnd
)

// next reads a token. Line ends are left out, as space is, and lines that say where the next
// one is from: they stand between any tokens, where a macro is from a system header.
func (s *asmScanner) next() (word []byte, kind int) {
	for {
		switch word, kind = s.token(); {
		case kind == lineEnd:
		case kind == lineOf && origin.Match(s.text[s.at:min(s.at+20, len(s.text))]):
			s.skipLine()
		default:
			return word, kind
		}
	}
}

var origin = regexp.MustCompile(`^[ \t]*[0-9]`)

func (s *asmScanner) skipLine() {
	if end := bytes.IndexByte(s.text[s.at:], '\n'); end >= 0 {
		s.at += end
	} else {
		s.at = len(s.text)
	}
}

func (s *asmScanner) token() (word []byte, kind int) {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
	if s.at == len(s.text) || s.lost {
		return nil, endOfText
	}
	begin, c := s.at, s.text[s.at]
	s.at++
	switch {
	case c == '\n':
		return nil, lineEnd
	case c == '#' && len(bytes.TrimSpace(s.text[bytes.LastIndexByte(s.text[:begin], '\n')+1:begin])) == 0:
		return nil, lineOf
	case c == '"' || c == '\'':
		for s.at < len(s.text) && s.text[s.at] != c && s.text[s.at] != '\n' {
			if s.text[s.at] == '\\' && s.at+1 < len(s.text) && s.text[s.at+1] != '\n' {
				s.at++
			}
			s.at++
		}
		if s.at >= len(s.text) || s.text[s.at] != c {
			s.at = min(s.at, len(s.text))
			return nil, int(c) // an apostrophe in a line that is not C
		}
		s.at++
		if c == '"' {
			return s.text[begin+1 : s.at-1], literal
		}
		return nil, ' '
	case inName(c):
		number := c >= '0' && c <= '9'
		for s.at < len(s.text) && (inName(s.text[s.at]) || number && s.text[s.at] == '\'' && s.at+1 < len(s.text) && inName(s.text[s.at+1])) {
			s.at++
		}
		word = s.text[begin:s.at]
		if s.at < len(s.text) && s.text[s.at] == '"' && !number && word[len(word)-1] == 'R' && len(word) <= 3 {
			s.lost = true // a raw string
		}
		return word, identifier
	}
	return nil, int(c)
}

func inName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// directive reads the line of a #, and reports whether it may have more read.
func (s *asmScanner) directive() bool {
	word, kind := s.token()
	if string(word) == "define" || string(word) == "undef" { // had their effect; -g3 leaves them there
		s.skipLine()
		return false
	}
	if string(word) == "embed" || string(word) == "include" {
		return true
	}
	for kind != lineEnd && kind != endOfText {
		if word, kind = s.token(); kind == literal && !harmlessText(word, true) {
			return true
		}
	}
	return false
}

// statement reads what follows asm, and reports whether it is understood and reads nothing.
func (s *asmScanner) statement() bool {
	for {
		before := s.at
		word, kind := s.next()
		switch {
		case kind == '(':
			s.at = before
			return s.region(true)
		case kind != identifier || !asmQualifiers[string(word)]:
			return false
		}
	}
}

var asmQualifiers = set("volatile __volatile __volatile__ inline __inline __inline__ goto const")

// region reads up to the bracket that ends it, and reports whether its strings are harmless.
// In assembly the first thing is a string.
func (s *asmScanner) region(assembly bool) bool {
	depth := 0
	var about string // the attribute
	for word, kind := s.next(); ; word, kind = s.next() {
		switch kind {
		case endOfText, lineOf:
			return false
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth == 0 {
				return true
			}
		case identifier:
			about = strings.Trim(string(word), "_")
		case literal:
			whole := bytes.Clone(word)
			for {
				before := s.at
				more, kind := s.next()
				if kind != literal {
					s.at = before
					break
				}
				whole = append(whole, more...)
			}
			if assembly {
				about = ""
			}
			if !messages[about] && !harmlessText(whole, !assembly) {
				return false
			}
		}
		if assembly && depth == 1 && kind == '(' {
			before := s.at
			if _, kind := s.next(); kind != literal {
				return false // an expression whose value is the text
			}
			s.at = before
		}
		if depth == 0 && kind != '(' && kind != '[' {
			return false
		}
	}
}

// harmlessText reports whether the content of a string has only harmless directives in it.
func harmlessText(written []byte, name bool) bool {
	text, ok := unescape(written)
	if !ok {
		return false
	}
	if name && plainName.MatchString(text) {
		return true
	}
	for at := 0; ; {
		dot := strings.IndexByte(text[at:], '.')
		if dot < 0 {
			return true
		}
		dot += at
		at = dot + 1
		for at < len(text) && (inName(text[at]) || text[at] == '.') {
			at++
		}
		word := text[dot+1 : at]
		if at < len(text) && strings.IndexByte(`%{|}\/`, text[at]) >= 0 && !strings.HasPrefix(word, "L") {
			return false // what stands there belongs to the word
		}
		after := dot > 0 && (inName(text[dot-1]) || text[dot-1] == ']')
		if word != "" && !harmless[strings.ToLower(word)] && !sections.MatchString(word) && !(after && suffixes.MatchString(word)) {
			return false
		}
	}
}

// unescape decodes a string of C, or reports that it has what no assembly needs.
func unescape(written []byte) (string, bool) {
	var text strings.Builder
	for rest := string(written); rest != ""; {
		if rest[0] == '\\' && len(rest) > 1 && rest[1] == 'e' {
			return "", false
		}
		if len(rest) > 1 && rest[0] == '\\' && rest[1] >= '0' && rest[1] <= '7' { // Go wants three digits
			end := 2
			for end < len(rest) && end < 4 && rest[end] >= '0' && rest[end] <= '7' {
				end++
			}
			code, _ := strconv.ParseUint(rest[1:end], 8, 16) // they are octal
			rest = rest[end:]
			if code < ' ' && code != '\t' && code != '\n' || code >= 0x7f {
				return "", false
			}
			text.WriteByte(byte(code))
			continue
		}
		if strings.HasPrefix(rest, `\?`) {
			text.WriteByte('?')
			rest = rest[2:]
			continue
		}
		quote := byte('"')
		if strings.HasPrefix(rest, `\'`) {
			quote = '\''
		}
		if rest[0] == '"' {
			return "", false
		}
		if strings.HasPrefix(rest, `\x`) { // C takes all digits that follow
			end := 2
			for end < len(rest) && strings.IndexByte("0123456789abcdefABCDEF", rest[end]) >= 0 {
				end++
			}
			if end != 4 {
				return "", false
			}
		}
		c, wide, tail, err := strconv.UnquoteChar(rest, quote)
		if err != nil || wide || c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f {
			return "", false
		}
		text.WriteByte(byte(c))
		rest = tail
	}
	return text.String(), true
}
