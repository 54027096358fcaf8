// Package wherry holds the sources of packages that `wherry bench` compiles on
// the user's machine, so that it measures that machine's Go and C compiler
// and needs no network. The toolkit's packages are handle, event, coalesce,
// direct, callback and check; its command is cmd/wherry.
package wherry

import "embed"

// BenchSources are the files of the scenarios and of all they import. A
// scenario that imports another package of this module needs its folder here.
//
//go:embed handle/*.go handle/*.s internal/latency/probe internal/latency/program
//go:embed direct/*.go direct/*.s direct/internal/loader
//go:embed internal/crossing/abi internal/crossing/reentrant internal/crossing/rt/self
var BenchSources embed.FS
