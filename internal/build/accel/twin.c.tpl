{{- /* A package's macros do not count in what stands between push and pop. */ -}}
{{define "unmacroed"}}
{{push}}{{.}}{{pop}}{{end}}

{{define "hidden"}}__attribute__((__visibility__("hidden"), __used__, __noinline__)){{end}}

{{- /* A cFunction: with a body that cgo wrote. */ -}}
{{define "function"}}
{{push}}{{template "hidden"}} {{.Result}} {{.Name}}(void *v);
{{template "hidden"}} {{.Result}} {{.Name}}(void *v)
{{pop}}{
{{.Body}}}
{{end}}

{{- /* Two twins of a wrapper, both with cgo's frame. */ -}}
{{define "frame twins"}}{{template "function" .Twin}}
#define _cgo_topofstack() ((char *)v)
{{template "function" .Framed}}#undef _cgo_topofstack
{{end}}

{{- /* The twin that takes its arguments in registers. Go leaves the upper part of a
register undefined when a value is smaller, so integers are taken as whole registers
and only their low bytes are copied into the frame (both architectures are
little-endian). */ -}}
{{define "register twin"}}
#define _cgo_topofstack() ((char *)v)
{{if .Errno}}{{template "errno"}}{{end}}
{{push}}{{if eq (len .Results) 2 -}}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Waggregate-return"
typedef struct { {{wide (index .Results 0).Value}} _wherry_0; {{wide (index .Results 1).Value}} _wherry_1; } {{.Returns}};
{{end}}{{template "head" .}};
{{template "head" .}}
{
	char _wherry_f[{{.FrameSize}}] __attribute__((__aligned__(8)));
	void *v = _wherry_f;
{{if .Errno}}	int _wherry_errno_is;
{{end}}{{range $i, $r := .Results}}	{{if eq (len $.Results) 1}}{{$.Returns}}{{else}}{{wide .Value}}{{end}} _wherry_r{{$i}} = 0;
{{end}}{{if eq (len .Results) 2}}	{{.Returns}} _wherry_r;
{{end}}{{range $i, $p := .Params}}	__builtin_memcpy(_wherry_f + {{.Offset}}, &_wherry_p{{$i}}, {{.Value.Size}});
{{end}}	(void)v;
{{pop}}	{
{{.Inside}}	}
#undef _cgo_topofstack
{{if .Errno}}#pragma pop_macro("errno")
{{end}}{{push}}{{range $i, $r := .Results}}{{if .Path}}	__builtin_memcpy(&_wherry_r{{$i}}, _wherry_f + {{.Offset}}, {{.Value.Size}});
{{else}}	_wherry_r{{$i}} = (unsigned)_wherry_errno_is;
{{end}}{{end}}{{if eq (len .Results) 1}}	return _wherry_r0;
{{else if eq (len .Results) 2}}	_wherry_r._wherry_0 = _wherry_r0;
	_wherry_r._wherry_1 = _wherry_r1;
	return _wherry_r;
{{end}}}
{{if eq (len .Results) 2}}#pragma GCC diagnostic pop
{{end}}{{pop}}{{end}}

{{- define "head" -}}
{{template "hidden"}} {{.Returns}} {{.Twin.Name}}(
{{- range $i, $p := .Params}}{{if $i}}, {{end}}{{carrier .Value}} _wherry_p{{$i}}{{else}}void{{end}}){{end}}

{{- /* The alignments in C of what a wrapper's arguments point to. The struct is cgo's text,
in which the package's macros count. */ -}}
{{define "alignments"}}
{{push}}typedef
{{pop}}{{.Frame}} {{.Symbol}}_frame;
{{push}}__attribute__((__visibility__("hidden"), __used__)) const unsigned char {{.Symbol}}[] = {
{{- range $i, $known := .Known}}{{if $known}}__alignof__(*(({{$.Symbol}}_frame *)0)->p{{$i}}){{else}}0{{end}}, {{end}}};
{{pop}}{{end}}

{{- /* In the wrapper's own text, which sets and reads errno, it costs no call of
__errno_location: it is as far from the thread pointer in all threads. A package may mean something else
by that name. */ -}}
{{define "errno"}}
{{push}}#ifndef _WHERRY_ERRNO
#define _WHERRY_ERRNO
#define _WHERRY_WORDS(x) #x
#define _WHERRY_TEXT(x) _WHERRY_WORDS(x)
extern long _wherry_errno_place __attribute__((__weak__, __visibility__("hidden")));
static __inline__ __attribute__((__always_inline__)) __typeof__(&errno) _wherry_errno(void)
{
	char *_wherry_t;
	if (__builtin_strcmp(_WHERRY_TEXT(errno), "(*__errno_location ())") != 0 &&
		__builtin_strcmp(_WHERRY_TEXT(errno), "(*__errno_location())") != 0)
		return &errno;
#if defined(__x86_64__)
	__asm__("mov {%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(_wherry_t));
#else
	__asm__("mrs %0, tpidr_el0" : "=r"(_wherry_t));
#endif
	return (void *)(_wherry_t + _wherry_errno_place);
}
#endif
{{pop}}#pragma push_macro("errno")
#undef errno
#define errno (*_wherry_errno())
{{end}}
