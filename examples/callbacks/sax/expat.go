package sax

// Expat is opened when the program runs, so that this builds without its
// development package. The C type XML_Parser is opaque.

/*
#cgo linux LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef void *parser;
typedef void (*startHandler)(void *, const char *, const char **);
typedef void (*endHandler)(void *, const char *);
typedef void (*textHandler)(void *, const char *, int);

extern void goStart(uintptr_t, char *, char **);
extern void goEnd(uintptr_t, char *);
extern void goText(uintptr_t, char *, int);

static struct {
	parser (*create)(const char *);
	void (*free)(parser);
	void (*setUserData)(parser, void *);
	void (*setElements)(parser, startHandler, endHandler);
	void (*setText)(parser, textHandler);
	int (*parse)(parser, const char *, int, int);
	int (*error)(parser);
	const char *(*describe)(int);
	unsigned long (*line)(parser);
} expat;

// openExpat gives NULL, or says why there is no Expat.
static const char *openExpat(void) {
	void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return dlerror();
	const struct { void *function; const char *name; } imports[] = {
		{&expat.create, "XML_ParserCreate"}, {&expat.free, "XML_ParserFree"},
		{&expat.setUserData, "XML_SetUserData"}, {&expat.setElements, "XML_SetElementHandler"},
		{&expat.setText, "XML_SetCharacterDataHandler"}, {&expat.parse, "XML_Parse"},
		{&expat.error, "XML_GetErrorCode"}, {&expat.describe, "XML_ErrorString"},
		{&expat.line, "XML_GetCurrentLineNumber"},
	};
	for (size_t i = 0; i < sizeof imports / sizeof *imports; i++) {
		void *found = dlsym(library, imports[i].name);
		if (found == NULL)
			return dlerror();
		*(void **)imports[i].function = found;
	}
	return NULL;
}

static parser newParser(uintptr_t user) {
	parser p = expat.create(NULL);
	if (p == NULL)
		return NULL;
	expat.setUserData(p, (void *)user);
	expat.setElements(p, (startHandler)goStart, (endHandler)goEnd);
	expat.setText(p, (textHandler)goText);
	return p;
}

static void freeParser(parser p) { expat.free(p); }

// parse calls the handlers while it reads a part of a document.
static int parse(parser p, char *text, int length, int last) { return expat.parse(p, text, length, last); }

static const char *message(parser p)  { return expat.describe(expat.error(p)); }
static unsigned long line(parser p)   { return expat.line(p); }
*/
import "C"

import (
	"errors"
	"fmt"
	"io"
	"runtime/cgo"
	"sync"
	"unsafe"
)

// open looks for Expat once.
var open = sync.OnceValue(func() error {
	if reason := C.openExpat(); reason != nil {
		return fmt.Errorf("no Expat (Debian: libexpat1): %s", C.GoString(reason))
	}
	return nil
})

// A handler is told of what a document has. Byte slices are valid until it
// returns.
type handler interface {
	start(name []byte)
	attribute(name, value []byte) // of the element that started last
	end(name []byte)
	text(part []byte)
}

// part is how much Expat reads in one call, in bytes.
const part = 64 << 10

// parse reads a document with Expat.
func parse(document io.Reader, h handler) error {
	if err := open(); err != nil {
		return err
	}
	handle := cgo.NewHandle(h)
	defer handle.Delete()
	p := C.newParser(C.uintptr_t(handle))
	if p == nil {
		return errors.New("XML_ParserCreate: out of memory")
	}
	defer C.freeParser(p)
	buffer := make([]byte, part)
	for {
		n, err := document.Read(buffer)
		if err != nil && err != io.EOF {
			return err
		}
		last := C.int(0)
		if err == io.EOF {
			last = 1
		}
		if C.parse(p, (*C.char)(unsafe.Pointer(unsafe.SliceData(buffer))), C.int(n), last) == 0 {
			return fmt.Errorf("line %d: %s", C.line(p), C.GoString(C.message(p)))
		}
		if last == 1 {
			return nil
		}
	}
}

//export goStart
func goStart(user C.uintptr_t, name *C.char, attributes **C.char) {
	h := cgo.Handle(user).Value().(handler)
	h.start(chars(name))
	for ; *attributes != nil; attributes = after(attributes, 2) {
		h.attribute(chars(*attributes), chars(*after(attributes, 1)))
	}
}

//export goEnd
func goEnd(user C.uintptr_t, name *C.char) { cgo.Handle(user).Value().(handler).end(chars(name)) }

//export goText
func goText(user C.uintptr_t, text *C.char, length C.int) {
	cgo.Handle(user).Value().(handler).text(unsafe.Slice((*byte)(unsafe.Pointer(text)), length))
}

// chars is a C string without its final zero, not copied.
func chars(s *C.char) []byte {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(s), n)) != 0 {
		n++ // names are shorter than a call of strlen
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(s)), n)
}

func after(p **C.char, n uintptr) **C.char {
	return (**C.char)(unsafe.Add(unsafe.Pointer(p), n*unsafe.Sizeof(p)))
}
