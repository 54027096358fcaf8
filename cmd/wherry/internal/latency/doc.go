// Package latency measures how long crossings between Go and C take on this
// machine, beside other things that everybody knows. It is `wherry bench`.
//
//  1. The scenarios (internal/measure/program) are compiled where they are measured, by wherry: the
//     sources are those of the library that the command was built with, from the
//     module cache or the clone (module.go).
//  2. They run in many short processes (run.go). Within one, variants take
//     turns every few milliseconds, so that whatever slows the machine down
//     slows all of them. Package probe is that side.
//  3. Medians, their 95 % intervals, and ratios within each round come from
//     golang.org/x/perf's benchmath (summary.go). What other processes took
//     from the machine meanwhile is in noise.go.
//  4. A Report is written as text or JSON lines, and the works that a newcomer
//     asks for (words.go) as an SVG image (picture.go).
//
// # JSON
//
// One object a line for each measurement. The format is stable: names keep
// their meaning, new ones may come.
//
//	{
//	  "bench": "call/add",      // the work
//	  "variant": "cgo",         // how it is done
//	  "procs": 1,               // GOMAXPROCS, and goroutines that did it at once
//	  "ns": 29.1,               // median time of one operation, on each goroutine
//	  "lo": 28.9, "hi": 29.6,   // its 95 % interval; null with fewer than 6 rounds
//	  "min": 28.7,              // the best round
//	  "ratio_to_cgo": 1,        // median over the rounds of cgo's time / this time: above 1 is faster
//	  "ratio_lo": 1, "ratio_hi": 1, // its 95 % interval; null with fewer than 6 rounds
//	  "scaling": 1,             // operations per second, as a multiple of those with the fewest procs
//	  "rounds": 30,
//	  "go": "go1.26.8", "goos": "linux", "goarch": "amd64", "cpu": "...",
//	  "noisy": "...",           // why the run cannot be trusted; absent if it can
//	  "what": "two ints",       // the work in words
//	  "samples": [29.4, 28.7]   // ns, round by round
//	}
//
// The ratio is to variant cgo of the same work, or to call/add's where the work
// has none. procs above the number of processors are allowed.
//
// Work: call/empty, call/add (two ints), call/six (six ints), call/double,
// call/string (a string's bytes and length), call/microsecond (about 1 us of
// computing); memory/malloc and memory/cstring, with free; callback/1 and
// callback/100 (a call of C that calls Go so often), callback/thread (one
// callback from a thread that C made); handoff (to a goroutine and back);
// handle/cycle (New, Value, Delete), handle/value, handle/million (a cycle
// beside a million live handles); landmark/atomic, /mutex, /channel, /json (one
// digit), /memory (a read that no cache holds).
//
// Variants: go (not inlined), and for call/add alone go-inline, go-func-value and
// cgo-declared (with #cgo noescape and nocallback); cgo; fast and reentrant (wherry's
// modes); lent (by a C thread, with one more P); for calls bind (package direct's Bind);
// for handoff free and locked
// (to its thread); for handles cgo (runtime/cgo) and wherry (package handle). In a clone
// of wherry also those of internal/measure/bench/rivals: purego, frame-64k (C on a
// goroutine's stack in a frame of 64 KB), go-pointer, cl600875.
package latency
