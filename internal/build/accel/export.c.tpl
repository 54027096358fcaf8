{{- /* What stands before the functions of _cgo_export.c. */ -}}
{{define "exports head"}}
{{push}}
#ifndef _WHERRY_THREAD
#define _WHERRY_THREAD
extern __thread struct { void **_wherry_active; } _wherry_thread __attribute__((__visibility__("hidden"), __tls_model__("initial-exec")));
#endif

#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
extern void _wherry_callback_frame(void (*)(void *), void *, int) __attribute__((__visibility__("hidden")));
{{pop}}
#define crosscall2(fn, frame, size, context) _wherry_callback_frame(fn, frame, size)
#define _cgo_wait_runtime_init_done() 0
#define _cgo_release_context(context) ((void)(context))
{{end}}

{{- /* The link that only looks for imports is satisfied by this. */ -}}
{{define "stand-ins"}}__thread void *_wherry_thread[128];
void _wherry_callback_frame(void) {}
{{end}}

{{define "stand-in"}}extern void {{.Slow}}(void);
void {{.StandIn}}(void) __asm__("{{.Callback}}");
void {{.StandIn}}(void) { {{.Slow}}(); }
{{end}}

{{- /* What cgo wrote, under another name: the function that C calls is assembly. A result
smaller than a register comes with garbage above it, so C has to cut it off itself. */ -}}
{{define "export"}}
{{push}}extern {{.Result}} {{.Slow}}({{.Params}}) {{template "hidden"}};
{{with .Cast}}extern unsigned long long {{$.Callback}}({{$.Params}}) __attribute__((__visibility__("hidden")));
{{$.Result}} {{$.Name}}({{$.Params}}) { return ({{$.Result}})({{.}}){{$.Callback}}(
{{- /**/}}{{range $i, $n := $.Names}}{{if $i}}, {{end}}{{.}}{{end}}); }
{{end}}{{pop}}{{.Before}}{{.Slow}}({{.Params}})
{
{{end}}

{{- /* Which way a callback goes, as an index of counters: through cgo, from a C stack, from
a thread that holds its P. */ -}}
{{define "way of callback"}}{{record "REC_CSP"}} > 1 ? 0 : {{record "REC_SYSTEM"}} == 0 ? 1 : 2{{end}}
