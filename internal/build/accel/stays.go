package accel

import (
	"cmp"
	"debug/elf"
	"go/ast"
	"slices"
	"strings"

	"github.com/wherrygo/wherry/internal/build/policy"
)

// What an argument points to may stay on the goroutine's stack only where nobody can tell
// the difference. With cgo it is on the heap: at an address that stays, aligned as its size
// class is, and not looked at by the collector word by word when the stack moves. On the
// stack it is aligned as its Go type is, at most at 8, and it moves as soon as Go runs on
// the goroutine again. C may not keep the pointer; so the address can be seen, or used, at
// another place only
//
//   - in C itself, which relies on the alignment of its type: it has to be known, and at
//     most 8. cgo's Go types do not have it, so the twin's file says it. And whatever the
//     type says, no instruction may demand more (facts.strict): C may cast bytes to
//     another type, and compilers take a member's type at its word in a packed struct;
//   - in words of the variable that Go takes for pointers: when the stack moves, numbers
//     that C wrote there as handles are reported as invalid. So it must have none, with all
//     that it is a part of (variables.go);
//   - in the result, if that has room for an address: it would lead to where the variable
//     was;
//   - in Go, while C runs: if C calls back, or if another C thread does to which C has
//     handed the pointer, Go may keep it. With cgo that is legal. C has to learn then that
//     the other thread is done before it returns. For that it waits, by a lock, a system
//     call, or a loop that looks for what the other writes (facts.apart). The
//     allocator's locks are its own, and nobody holds one while he calls Go.
//
// That the call is turned makes no difference: the runtime does not move the stack of a
// goroutine that is in a system call (isShrinkStackSafe in runtime/stack.go).

// stackAlignment is the most that a variable on a goroutine's stack is aligned at.
const stackAlignment = 8

// itsCode begins the reasons of mayMeet.
const itsCode = "its code "

// mayMeet says what shows that the code may call back, or learn what another thread has
// done. It is empty where there is nothing.
func (f facts) mayMeet() string {
	switch {
	case f.apart:
		return ""
	case f.meets == "":
		return itsCode + "was not read"
	}
	return itsCode + f.meets
}

// escaping returns the parameters whose targets are allocated, as with cgo, and why the
// first of them is; its code comes last. userWord is whether a rule says that they need not be.
func (g *gotypes) escaping(f *function, d *decision, code facts, userWord bool) (escape map[string]bool, why string) {
	escape = map[string]bool{}
	if userWord {
		return escape, ""
	}
	for i, field := range f.decl.Type.Params.List {
		if g.numbers(field.Type, len(g.types)+1) {
			continue
		}
		reason := g.tells(field.Type, code.alignment(i))
		if reason == "" && g.carries(f.decl.Type.Results) {
			reason = "its result has room for an address"
		}
		if d.Mode == policy.Reentrant {
			reason = "a rule says that it calls back"
		}
		if reason == "" {
			reason = g.variables().hides(f.decl.Name.Name, i, code.alignment(i))
		}
		if reason == "" && code.strict {
			reason = "its code demands more alignment than a stack has"
		}
		reason = cmp.Or(reason, code.mayMeet())
		if reason == "" {
			continue
		}
		for _, name := range field.Names {
			escape[name.Name] = true
		}
		if (why == "" || strings.HasPrefix(why, itsCode)) && !g.isFunction(field.Type) {
			why = reason
		}
	}
	return escape, why
}

// tells says how it would be seen that what a parameter of a type points to is on the
// stack, where C wants it aligned so. It is empty if it would not.
func (g *gotypes) tells(param ast.Expr, alignment int) string {
	target := g.target(param)
	switch {
	case target == nil:
		return "what its arguments point to is not known"
	case !g.numbers(target, len(g.types)+1):
		return "what its arguments point to has pointers"
	case alignment == 0:
		return "how C aligns what its arguments point to is not known"
	case alignment > stackAlignment:
		return "C aligns what its arguments point to at more than a word"
	}
	return ""
}

// target returns the type that a parameter points to, or nil where that is not known: it is
// incomplete, or anything.
func (g *gotypes) target(param ast.Expr) ast.Expr {
	pointer, ok := g.resolve(param).(*ast.StarExpr)
	if !ok {
		return nil
	}
	switch t := g.resolve(pointer.X).(type) {
	case *ast.StructType:
		if t.Fields.NumFields() == 0 {
			return nil
		}
	case *ast.ArrayType:
		if arrayLength(t) == 0 {
			return nil
		}
	}
	return pointer.X
}

// isFunction reports whether a parameter is a C function, at which nothing is allocated.
func (g *gotypes) isFunction(param ast.Expr) bool {
	pointer, ok := g.resolve(param).(*ast.StarExpr)
	if !ok {
		return false
	}
	array, ok := pointer.X.(*ast.ArrayType)
	return ok && arrayLength(array) == 0
}

// resolve follows the names of types that cgo has declared.
func (g *gotypes) resolve(expr ast.Expr) ast.Expr {
	for range len(g.types) + 1 {
		name, ok := expr.(*ast.Ident)
		if !ok || g.own[name.Name] || g.types[name.Name] == nil {
			break
		}
		expr = g.types[name.Name]
	}
	return expr
}

// numbers reports whether a type is known to have no pointers. Names lead to no more than
// depth others. An array of byte, as cgo calls no type of C's, is a union: it may have some,
// at which cgo's pointer check looks.
func (g *gotypes) numbers(expr ast.Expr, depth int) bool {
	switch t := expr.(type) {
	case *ast.Ident:
		declared, isDeclared := g.types[t.Name]
		_, basic := basicTypes[t.Name]
		switch {
		case g.own[t.Name] || depth == 0:
			return false
		case isDeclared:
			return g.numbers(declared, depth-1)
		}
		return basic || t.Name == "complex64" || t.Name == "complex128"
	case *ast.StructType:
		return !slices.ContainsFunc(t.Fields.List, func(field *ast.Field) bool { return !isPadding(field) && !g.numbers(field.Type, depth) })
	case *ast.ArrayType:
		return t.Len != nil && !isIdent(t.Elt, "byte") && g.numbers(t.Elt, depth)
	}
	return false
}

// isPadding reports whether a field is what cgo puts where Go has nothing to say.
func isPadding(field *ast.Field) bool {
	array, ok := field.Type.(*ast.ArrayType)
	return ok && isIdent(array.Elt, "byte") && len(field.Names) == 1 && field.Names[0].Name == "_"
}

// carries reports whether a result has room for an address. A floating-point number is none.
func (g *gotypes) carries(results *ast.FieldList) bool {
	if results.NumFields() == 0 || isIdent(results.List[0].Type, "_Ctype_void") {
		return false
	}
	parts, size, _, ok := g.parts("", results.List[0].Type, len(g.types)+1)
	return !ok || size >= wordSize && countFloats(parts) < len(parts)
}

// framePattern finds the arguments' struct in the body of one of cgo's wrappers.
var framePattern = pattern(`(?s)(?:^|\n)\t(struct \{\n.*?\n\t\}[^\n]*) \*\w+ = v;\n`)

// An alignments is what the template of that name is about: the alignments in C of what a
// wrapper's arguments point to, and 0 of those that escape in any case.
type alignments struct {
	Symbol, Frame string
	Known         []bool
	structs       bool // some are structs, which may be incomplete in one of several C files
}

func alignmentSymbol(wrapper string) string {
	return "_wherry_align" + strings.TrimPrefix(wrapper, "_cgo")
}

// alignments returns nil if there is nothing to say.
func (g *gotypes) alignments(f *function, body string) *alignments {
	frame := framePattern().FindStringSubmatch(body)
	if frame == nil {
		return nil
	}
	a := &alignments{Symbol: alignmentSymbol(f.symbol), Frame: frame[1]}
	for _, field := range f.decl.Type.Params.List {
		known := g.tells(field.Type, 1) == ""
		if known {
			_, scalar := g.resolve(g.target(field.Type)).(*ast.Ident)
			a.structs = a.structs || !scalar
		}
		a.Known = append(a.Known, known)
	}
	if !slices.Contains(a.Known, true) {
		return nil
	}
	return a
}

// mostParameters is how many parameters of a function are looked at.
const mostParameters = 1 << 10

// readAlignments reads what the linked objects say, by symbol.
func readAlignments(linked string) (map[string][]byte, error) {
	file, err := elf.Open(linked)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	for _, s := range symbols {
		if !strings.HasPrefix(s.Name, alignmentSymbol("")) || int(s.Section) >= len(file.Sections) {
			continue
		}
		if s.Size > mostParameters { // then it is not ours
			continue
		}
		section := file.Sections[s.Section]
		data := make([]byte, s.Size)
		if _, err := section.ReadAt(data, int64(s.Value-section.Addr)); err != nil {
			return nil, err
		}
		found[s.Name] = data
	}
	return found, nil
}

// alignment is that of what parameter i points to, or 0 where it is not known.
func (f facts) alignment(i int) int {
	if i < len(f.alignments) {
		return int(f.alignments[i])
	}
	return 0
}
