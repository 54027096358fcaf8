package accel

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/wherrygo/wherry/internal/crossing"
)

// A value is what one register holds.
type value struct {
	Size    int64 // bytes
	Float   bool
	Pointer bool
}

// wordSize is that of a register, in bytes.
const wordSize = 8

// A part is an argument or result, or what is in it: a struct travels as its fields.
type part struct {
	Value  value
	Path   string // of the variable, as Go text has it: p0, p1.at[2]
	Type   string // as Go text has it
	Offset int64  // in cgo's frame
}

// A signature is that of a function whose arguments and results all travel in
// registers, in the same classes in Go and in C.
type signature struct {
	Params, Results []part
	Errno           bool  // is one more result, an integer
	Size            int64 // of cgo's frame
}

var basicTypes = map[string]value{
	"bool": {Size: 1}, "int8": {Size: 1}, "uint8": {Size: 1}, "byte": {Size: 1},
	"int16": {Size: 2}, "uint16": {Size: 2}, "int32": {Size: 4}, "uint32": {Size: 4},
	"int64": {Size: 8}, "uint64": {Size: 8}, "int": {Size: 8}, "uint": {Size: 8}, "uintptr": {Size: 8},
	"float32": {Size: 4, Float: true}, "float64": {Size: 8, Float: true},
}

// signature returns the function's, or nil when some type is not made of scalars or
// when there are more of them than registers. Such functions keep cgo's frame, and only
// its address travels in a register.
//
// The places in the frame are those of Go's stack-based calling convention, which cgo
// mirrors in the struct that it writes into the wrapper: each value at a multiple of
// its alignment, the result from a whole word on.
func (g *gotypes) signature(f *function, goarch string) *signature {
	sig := &signature{Errno: f.errno}
	for _, field := range f.decl.Type.Params.List {
		if !g.add(&sig.Params, &sig.Size, field) {
			return nil
		}
	}
	sig.Size = alignUp(sig.Size, wordSize)
	results, named := f.decl.Type.Results, 1
	if f.errno {
		named = 2
	}
	if results.NumFields() > named {
		return nil
	}
	if results.NumFields() > 0 && !isIdent(results.List[0].Type, "_Ctype_void") {
		if !g.add(&sig.Results, &sig.Size, results.List[0]) {
			return nil
		}
		sig.Size = alignUp(sig.Size, wordSize)
	}
	if !sig.fits(goarch) {
		return nil
	}
	return sig
}

// fits reports whether there are registers enough. Two results are a struct to C, which
// arm64 returns in registers of one kind.
func (s *signature) fits(goarch string) bool {
	integers, floats := s.resultRegisters()
	return s.integers() <= crossing.MaxIntegers(goarch) && s.floats() <= crossing.MaxFloats &&
		integers+floats <= 2 && (goarch == "amd64" || integers == 0 || floats == 0)
}

func (s *signature) integers() int { return len(s.Params) - s.floats() }

func (s *signature) floats() int { return countFloats(s.Params) }

// resultRegisters counts those of the results.
func (s *signature) resultRegisters() (integers, floats int) {
	floats = countFloats(s.Results)
	integers = len(s.Results) - floats
	if s.Errno {
		integers++
	}
	return integers, floats
}

func countFloats(parts []part) (n int) {
	for _, p := range parts {
		if p.Value.Float {
			n++
		}
	}
	return n
}

// add appends the parts of a parameter or result behind a frame of so many bytes.
func (g *gotypes) add(parts *[]part, size *int64, field *ast.Field) bool {
	if len(field.Names) != 1 {
		return false
	}
	more, bytes, align, ok := g.parts(field.Names[0].Name, field.Type, len(g.types)+1)
	*size = alignUp(*size, align)
	for _, p := range more {
		p.Offset += *size
		*parts = append(*parts, p)
	}
	*size += bytes
	return ok && len(more) > 0
}

func alignUp(n, to int64) int64 { return (n + to - 1) / to * to }

// parts resolves a type by the declarations in the file, names of which lead to no more
// than depth others. Not known are types without a place in C, those of the package's
// own files, and structs with a field that has no name: behind that cgo hides what Go
// cannot express.
func (g *gotypes) parts(path string, expr ast.Expr, depth int) (parts []part, size, align int64, ok bool) {
	scalar := func(v value) ([]part, int64, int64, bool) {
		return []part{{v, path, g.source(expr), 0}}, v.Size, v.Size, true
	}
	inside := func(path string, expr ast.Expr) bool {
		more, bytes, to, ok := g.parts(path, expr, depth)
		size, align = alignUp(size, to), max(align, to)
		for _, p := range more {
			p.Offset += size
			parts = append(parts, p)
		}
		size += bytes
		return ok && len(parts) <= maxParts
	}
	align = 1
	switch t := expr.(type) {
	case *ast.StarExpr:
		return scalar(value{wordSize, false, true})
	case *ast.SelectorExpr:
		if isSelector(t, "unsafe", "Pointer") {
			return scalar(value{wordSize, false, true})
		}
	case *ast.Ident:
		declared, isDeclared := g.types[t.Name]
		switch v, basic := basicTypes[t.Name]; {
		case g.own[t.Name] || depth == 0:
		case !isDeclared && basic:
			return scalar(v)
		case isDeclared:
			parts, size, align, ok = g.parts(path, declared, depth-1)
			if len(parts) == 1 && parts[0].Path == path {
				parts[0].Type = t.Name
			}
			return parts, size, align, ok
		}
	case *ast.StructType:
		for _, field := range t.Fields.List {
			if len(field.Names) != 1 || field.Names[0].Name == "_" || !inside(path+"."+field.Names[0].Name, field.Type) {
				return nil, 0, 1, false
			}
		}
		return parts, alignUp(size, align), align, true
	case *ast.ArrayType:
		n := arrayLength(t)
		for i := range n {
			if !inside(fmt.Sprintf("%s[%d]", path, i), t.Elt) {
				return nil, 0, 1, false
			}
		}
		return parts, size, align, n > 0
	}
	return nil, 0, 1, false
}

// maxParts is more than there are registers.
const maxParts = 16

// arrayLength returns 0 for what is no array with a literal length.
func arrayLength(t *ast.ArrayType) int {
	length, ok := t.Len.(*ast.BasicLit)
	if !ok || length.Kind != token.INT {
		return 0
	}
	n, err := strconv.Atoi(length.Value)
	if err != nil {
		return 0
	}
	return n
}

// scalar resolves a type that one register holds.
func (g *gotypes) scalar(expr ast.Expr) (value, bool) {
	parts, _, _, ok := g.parts("", expr, len(g.types)+1)
	if !ok || len(parts) != 1 || parts[0].Path != "" {
		return value{}, false
	}
	return parts[0].Value, true
}

// goParams returns the parameters of the stub, and the arguments that the function
// passes.
func (s *signature) goParams() (declared, passed string) {
	var params, args []string
	for i, p := range s.Params {
		params, args = append(params, fmt.Sprintf("_wherry_p%d %s", i, p.Type)), append(args, p.Path)
	}
	return "(" + strings.Join(params, ", ") + ")", strings.Join(args, ", ")
}

// goResults returns the results of the stub, and the variables that they go to.
func (s *signature) goResults() (declared, assigned string) {
	var types, paths []string
	for _, r := range s.Results {
		types, paths = append(types, r.Type), append(paths, r.Path)
	}
	if s.Errno {
		types, paths = append(types, "syscall.Errno"), append(paths, "errno")
	}
	if len(types) == 0 {
		return "", ""
	}
	return "(" + strings.Join(types, ", ") + ")", strings.Join(paths, ", ") + " = "
}

// yields returns the body of the Go function that calls the stub again, see
// internal/crossing/c.
func (s *signature) yields(stub string) string {
	var args []string
	for i := range s.Params {
		args = append(args, fmt.Sprintf("_wherry_p%d", i))
	}
	call := fmt.Sprintf("%s(%s)", stub, strings.Join(args, ", "))
	if integers, floats := s.resultRegisters(); integers+floats > 0 {
		return "return " + call
	}
	return call
}

// frame returns the type of the frame that cgo's wrapper wants, or "" where Go would lay it out
// otherwise: what could stand between its fields has names that a package may declare.
func (s *signature) frame() string {
	var text strings.Builder
	end := int64(0)
	fields := func(prefix string, parts []part) bool {
		fmt.Fprintf(&text, "%s struct { _ [0]uintptr; ", prefix) // which makes it whole words
		end = alignUp(end, wordSize)
		for i, p := range parts {
			if p.Offset != alignUp(end, p.Value.Size) {
				return false
			}
			fmt.Fprintf(&text, "%s%d %s; ", prefix, i, p.Type)
			end = p.Offset + p.Value.Size
		}
		text.WriteString("}; ")
		return true
	}
	if !fields("p", s.Params) || !fields("r", s.Results) {
		return ""
	}
	return "struct { " + text.String() + "}"
}

// throughCgo returns the body of the Go function that calls a wrapper of cgo's, symbol.
func (s *signature) throughCgo(symbol string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "var _wherry_frame %s\n\t", s.frame())
	for i := range s.Params {
		fmt.Fprintf(&text, "_wherry_frame.p.p%d = _wherry_p%d\n\t", i, i)
	}
	var results []string
	for i := range s.Results {
		results = append(results, fmt.Sprintf("_wherry_frame.r.r%d", i))
	}
	if s.Errno {
		text.WriteString("_wherry_errno := ")
		results = append(results, "syscall.Errno(_wherry_errno)")
	}
	fmt.Fprintf(&text, "_cgo_runtime_cgocall(%s, uintptr(unsafe.Pointer(&_wherry_frame)))\n\t"+
		"if _Cgo_always_false {\n\t\t_wherry_kept = uintptr(unsafe.Pointer(&_wherry_frame))\n\t}\n", symbol)
	if len(results) > 0 {
		text.WriteString("\treturn " + strings.Join(results, ", "))
	}
	return text.String()
}
