package accel

import (
	"bytes"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"strings"
)

// cgo writes a call whose pointers are checked as a func literal on one line, with
// positions in comments:
//
//	func() T { ...; _cgoCheckPointer(_cgo0, nil); return /*line :26:68*/_Cfunc_f(_cgo0); }()
//
// The compiler's columns end at 255, what lies beyond has that of the last comment, and a
// call at its caller's place is taken for a recursion and not inlined (canInlineCallExpr
// in cmd/compile/internal/inline). So such calls begin a new line here; the comment says
// where they are.

// breakLines does that in the Go files that cgo wrote.
func breakLines(objdir string) error {
	var errs []error
	for _, path := range inFolder(objdir, "*.cgo1.go") {
		text, err := os.ReadFile(path)
		if err == nil && bytes.Contains(text, []byte("_cgoCheckPointer(")) {
			err = os.WriteFile(path, apply(text, lineBreaks(text)), 0o666)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("accel: %w", err))
		}
	}
	return errors.Join(errs...)
}

// lineBreaks returns the edits. It goes by tokens, since the text may also stand in a string.
func lineBreaks(text []byte) (edits []edit) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, func(token.Position, string) {}, scanner.ScanComments)
	type word struct {
		at   int
		kind token.Token
		text string
	}
	var last [3]word // the newest last
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return edits
		}
		call, comment, before := word{file.Offset(pos), kind, literal}, last[2], last[1]
		statement := comment
		if before.kind == token.RETURN {
			statement, before = before, last[0]
		}
		called := strings.HasPrefix(call.text, "_Cfunc_") || strings.HasPrefix(call.text, "_C2func_")
		if called && strings.HasPrefix(comment.text, "/*line :") && before.kind == token.SEMICOLON {
			edits = append(edits, edit{statement.at, statement.at, "\n" + comment.text})
		}
		last = [3]word{last[1], last[2], call}
	}
}
