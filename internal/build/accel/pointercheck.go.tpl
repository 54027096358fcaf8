{{define "pointer check"}}
//go:cgo_import_static _wherry_runtime
//go:linkname _wherry_runtime _wherry_runtime
var _wherry_runtime uintptr
var _wherry_runtime_at = unsafe.Pointer(&_wherry_runtime)

//go:linkname _wherry_check_pointer {{.Symbol}}_check
//go:noescape
func _wherry_check_pointer(interface{}, interface{})

// Of p, the address of an element of s, or of a variable if s is true, only the type of that
// counts. The compiler knows it where this is called, and leaves the switches out: of a call that
// always passes nothing is left. Of what has no package, traces do not tell.
//
//go:linkname _cgoCheckPointer {{.Symbol}}_checked
func _cgoCheckPointer(p, s interface{}) {
{{with .Plain}}	switch s.(type) {
	case {{range $i, $name := .}}{{if $i}}, {{end}}[]{{$name}}{{end}}:
		return
	case bool:
		switch p.(type) {
		case {{range $i, $name := .}}{{if $i}}, {{end}}*{{$name}}{{end}}:
			return
		}
	}
{{end}}	_wherry_check_pointer(p, s)
}

//go:linkname _wherry_runtime_check runtime.cgoCheckPointer
//go:noescape
func _wherry_runtime_check(pType, p, aType, a unsafe.Pointer)

// _wherry_check is _wherry_check_pointer, whose two interfaces come as their words, in the
// same registers. The runtime's check costs more than a call, so what it would pass in any
// case does not get there. a is nil, or a slice or an array that p points into, or an
// array's address, or true if p is the address of a variable: then what counts is the
// type there, else the object at p. All loads are the runtime's own.
//
//go:linkname _wherry_check {{.Symbol}}_check
//go:nocheckptr
//go:nosplit
func _wherry_check(pType, p, aType, a unsafe.Pointer) {
	var kind, elem, i, arena, span, module uintptr
	t, object := uintptr(pType), uintptr(p)
	if t == 0 {
		goto check
	}
	if uintptr(aType) == 0 && {{word "t" .At.TYPE_PTRBYTES}} == 0 {
		return // a pointer to what only C knows, sqlite3 for one: not one of Go's
	}
	kind = {{byte "t" .At.TYPE_KIND}} & {{.KindMask}}
	if kind != {{.Pointer}} && kind != {{.UnsafePointer}} {
		goto check
	}
	if a := uintptr(aType); a != 0 && {{byte "a" .At.TYPE_KIND}}&{{.KindMask}} == {{.Slice}} { // &s[i], what most pass
		elem = {{word "a" .At.SLICE_ELEM}}
		if {{word "elem" .At.TYPE_PTRBYTES}} == 0 {
			return
		}
		goto check
	}
	if kind == {{.Pointer}} {
		elem = {{word "t" .At.PTR_ELEM}}
	}
	if uintptr(aType) != 0 {
		switch a := uintptr(aType); {{byte "a" .At.TYPE_KIND}} & {{.KindMask}} {
		case {{.Pointer}}:
			elem = {{word "a" .At.PTR_ELEM}}
		case {{.Array}}:
			elem = a
		case {{.Bool}}:
		default:
			goto check
		}
		if elem != 0 {
			if {{word "elem" .At.TYPE_PTRBYTES}} == 0 {
				return
			}
			goto check
		}
	}
	i = (object - {{.FirstArena}}) / {{.At.ARENA_BYTES}}
	if i < 1<<{{.At.ARENA_BITS}} {
		arena = (*(*[2]uintptr)(_wherry_runtime_at))[0]
		arena = {{word "arena" .At.MHEAP_ARENAS}}
		arena = {{word "arena" "8*i"}}
		if arena != 0 {
			span = {{word "arena" .At.HEAPARENA_SPANS (print "object/" .At.PAGE_BYTES "%" .At.ARENA_PAGES "*8")}}
			if span != 0 && {{byte "span" .At.SPAN_STATE}} == {{.At.SPAN_INUSE}} &&
				{{word "span" .At.SPAN_START}} <= object && object < {{word "span" .At.SPAN_LIMIT}} {
				if {{byte "span" .At.SPAN_CLASS}}&1 != 0 {
					return
				}
				goto check
			}
		}
	}
	module = (*(*[2]uintptr)(_wherry_runtime_at))[1]
	if {{word "module" .At.MODULE_NEXT}} == 0 &&
		(object < {{word "module" .At.MODULE_DATA}} || {{word "module" .At.MODULE_EDATA}} <= object) &&
		(object < {{word "module" .At.MODULE_BSS}} || {{word "module" .At.MODULE_EBSS}} <= object) {
		return
	}
check:
	_wherry_runtime_check(pType, p, aType, a)
}
{{end}}