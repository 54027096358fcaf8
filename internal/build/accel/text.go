package accel

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"text/template"

	"github.com/wherrygo/wherry/internal/crossing"
)

// pattern is a regular expression, compiled when it is needed: most processes of a build need none.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// The C and Go text that is added to a package stands in templates.
//
//go:embed *.tpl
var templateFiles embed.FS

// templates are parsed when they are needed too.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"push":    func() string { return macros("#pragma push_macro(%q)\n#undef %[1]s\n") },
		"pop":     func() string { return macros("#pragma pop_macro(%q)\n") },
		"record":  recordField,
		"carrier": carrier,
		"wide":    wide,
		// word is the word at an address, byte the byte there. The package may have a type
		// byte of its own, so a byte is cut out of the aligned word that it is in.
		"word": word,
		"byte": func(address string, offset int64) string {
			return fmt.Sprintf("(%s >> %d & 255)", word(address, offset&^7), 8*(offset&7))
		},
	}).ParseFS(templateFiles, "*.tpl"))
})

// write writes what a template says about some data.
func write(name string, data any) string {
	var text strings.Builder
	if err := templates().ExecuteTemplate(&text, name, data); err != nil {
		panic(fmt.Sprintf("accel: BUG: template %s: %v", name, err))
	}
	return text.String()
}

// What is added to a package's C files stands below its preamble, whose macros may
// have the names of C's own words: where extern is empty, a declaration is a
// definition. So templates push such macros before it, and pop them after.
var cWords = strings.Fields("extern static typedef struct if return __thread __inline__ __asm__ __attribute__ " +
	"const unsigned char __alignof__ __typeof__ __builtin_memcpy __builtin_strcmp __builtin_expect " +
	"__builtin_frame_address __aligned__ __always_inline__ __hidden__ __noinline__ " +
	"__section__ __tls_model__ __unused__ __used__ __visibility__ __weak__")

func macros(format string) string {
	var text strings.Builder
	for _, word := range cWords {
		fmt.Fprintf(&text, format, word)
	}
	return text.String()
}

// unmacroed returns C text in which the package's macros do not count.
func unmacroed(text string) string { return write("unmacroed", text) }

// recordField is the C expression for a field of the thread's record, see
// internal/crossing/c.
func recordField(name string) string {
	const word = 8
	return fmt.Sprintf("(unsigned long)_wherry_thread._wherry_active[%d]", crossing.Layout("")[name]/word)
}

// word is the Go expression for the word at an address, which is a sum.
func word(address ...any) string {
	var terms []string
	for _, term := range address {
		terms = append(terms, fmt.Sprint(term))
	}
	return fmt.Sprintf("*(*uintptr)(unsafe.Pointer(uintptr(%s)))", strings.Join(terms, " + "))
}
