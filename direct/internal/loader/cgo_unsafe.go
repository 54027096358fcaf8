//go:build linux && cgo

package loader

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The message of dlerror belongs to the thread: copied before Go can leave it.
static uintptr_t told(uintptr_t result, char **why) {
	const char *text = result ? NULL : dlerror();
	*why = text ? strdup(text) : NULL;
	return result;
}

static uintptr_t open_library(const char *path, char **why) {
	return told((uintptr_t)dlopen(path, RTLD_NOW), why);
}

static uintptr_t symbol(uintptr_t handle, const char *name, char **why) {
	dlerror();
	return told((uintptr_t)dlsym((void *)handle, name), why);
}

static uintptr_t close_library(uintptr_t handle, char **why) {
	return told(dlclose((void *)handle) == 0, why);
}
*/
import "C"

import (
	"errors"
	"unsafe"
)

// Open returns dlopen's handle.
func Open(path string) (handle uintptr, err error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var why *C.char
	return told(C.open_library(name, &why), why)
}

// Symbol returns the address that dlsym finds.
func Symbol(handle uintptr, name string) (address uintptr, err error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var why *C.char
	return told(C.symbol(C.uintptr_t(handle), text, &why), why)
}

// Close is dlclose.
func Close(handle uintptr) error {
	var why *C.char
	_, err := told(C.close_library(C.uintptr_t(handle), &why), why)
	return err
}

func told(result C.uintptr_t, why *C.char) (uintptr, error) {
	if result != 0 {
		return uintptr(result), nil
	}
	if why == nil {
		return 0, errors.New("its address is 0")
	}
	defer C.free(unsafe.Pointer(why))
	return 0, errors.New(C.GoString(why))
}
