// Package purego lets packages direct and callback work without cgo: it brings
// C's runtime and dlopen from github.com/ebitengine/purego. Import it for its
// effect where CGO_ENABLED=0:
//
//	import _ "github.com/wherrygo/wherry/direct/purego"
//
// With cgo it does nothing. It is a module of its own so that package direct
// depends on the standard library alone.
package purego
