{{- /* A stub is in the package's C objects. */ -}}
{{define "stub"}}
//go:cgo_import_static {{.Name}}
//go:linkname {{.Name}} {{.Name}}
//go:noescape
func {{.Name}}{{.Params}} {{.Results}}
{{end}}

{{- /* A Go function that a stub goes to. */ -}}
{{define "exported"}}
//go:cgo_export_static {{.Name}}
//go:linkname {{.Name}} {{.Name}}
//go:noinline
{{if .Nosplit}}//go:nosplit
{{end}}func {{.Name}}{{.Params}} {{.Results}} {
	{{.Body}}
}

{{end}}

{{- /* An assignment that never happens, small enough to be inlined, by which pointers
escape or live on. */ -}}
{{define "uses"}}if _Cgo_always_false {
{{range .}}{{if .Escape}}		_wherry_sink = unsafe.Pointer({{.Path}})
{{else}}		_wherry_kept = uintptr(unsafe.Pointer({{.Path}}))
{{end}}{{end}}	}{{end}}

{{- /* The Go side of what calls and callbacks share, in the file of cgo's types, where
cgo's directives are allowed. The package may declare names that Go predeclares; none is
used here but those that cgo's own code uses.

_wherry_started has wherry's signal handler installed before C is called for the first
time, if the package's other variables do not call it. */ -}}
{{define "shared"}}
//go:cgo_export_static runtime.mheap_ _wherry_mheap
//go:cgo_export_static runtime.firstmoduledata _wherry_module
//go:cgo_export_static runtime.debug _wherry_debug
//go:cgo_export_static runtime.allm _wherry_allm
//go:cgo_export_static runtime.vdsoClockgettimeSym _wherry_read_clock
//go:cgo_export_static runtime.cgoTraceback _wherry_cgo_traceback
//go:cgo_export_static runtime.cgoSymbolizer _wherry_cgo_symbolizer
//go:cgo_export_static {{.}} _wherry_set_traceback
//go:cgo_export_static _cgo_bindm _wherry_cgo_bindm
//go:cgo_export_static _wherry_callback
//go:cgo_export_static _wherry_callback_first
//go:cgo_export_static _wherry_turned
//go:cgo_export_static _wherry_getg
//go:cgo_export_static _wherry_setg
//go:cgo_import_static _wherry_return
//go:cgo_import_static _wherry_in
//go:cgo_import_static _wherry_yields_later
//go:cgo_import_static _wherry_abandon_func
//go:cgo_import_static _wherry_turn_parked
//go:cgo_import_static _wherry_turned_left
//go:cgo_import_static _wherry_call_start
//go:linkname _wherry_call_start _wherry_call_start
func _wherry_call_start(_wherry_zero syscall.Errno) syscall.Errno

var _wherry_started = _wherry_call_start(0)
var _wherry_sink unsafe.Pointer
var _wherry_kept uintptr
{{end}}

{{- /* The same, where C threads hold their P. C that calls crosscall2 itself is sent by the
linker to a function that knows of calls in flight. */ -}}
{{define "holding"}}
//go:cgo_ldflag "-Wl,--wrap=crosscall2"
//go:cgo_export_static runtime.gomaxprocs _wherry_gomaxprocs
//go:cgo_export_static _wherry_c_thread
//go:cgo_import_static _wherry_hold_enter
{{end}}
