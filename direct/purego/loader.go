//go:build linux && (amd64 || arm64) && !cgo

package purego

import (
	"github.com/ebitengine/purego"

	"github.com/wherrygo/wherry/direct/internal/loader"
)

func init() {
	loader.Register(loader.Loader{
		Open: func(path string) (uintptr, error) {
			return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
		},
		Symbol: purego.Dlsym,
		Close:  purego.Dlclose,
		Errno: func() (uintptr, error) {
			return purego.Dlsym(purego.RTLD_DEFAULT, "__errno_location")
		},
	})
}
