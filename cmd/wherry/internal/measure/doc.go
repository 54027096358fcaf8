// Package measure compares ways to do the same, in interleaved rounds: two builds of a
// package, one by the plain go command and one by wherry (Compare), or the variants of the
// scenarios (Bench). It takes finished executables; how they are built is not its business.
//
// The story of one comparison, file by file:
//
//  1. Both executables of a target must do the same: the package's tests must
//     pass in both, a program must end with the same exit status (check.go).
//  2. The benchmarks run in rounds, one process of each build in each, in an order
//     that a coin decides (rounds.go, process.go). So a machine that is now fast
//     and now slow favours neither. Benchmarks that the rounds leave open get
//     more of them.
//  3. What a process printed is read line by line: results, but also failures
//     and skips, since what is missing must be explained (sheet.go, lines.go).
//  4. Each round gives a pair, and each pair a ratio: their median and its 95 %
//     interval (interval.go), and a verdict (summary.go). What could not be
//     compared is listed with its reason (record.go).
//  5. The Result is written as text or JSON.
//
// For Bench (bench.go) a round has a process of the scenarios' plain build, one of that by
// wherry, one of rivals in a clone, and in the first six and then each third one for each that keeps much memory.
// Each variant is paired with cgo's of the same round (benchrows.go), and its time is summed
// up as any other. noise.go says what other processes took from the machine
// meanwhile; the works that a newcomer asks for (words.go) are also written as an SVG image
// (picture.go).
//
// # JSON
//
// WriteJSON writes one object on one line, of the same format for both. It is stable: names
// keep their meaning, new ones may come.
//
//	{
//	  "go": "go1.26.8",              // of the executables
//	  "cpu": "...",                  // as the benchmarks print it; "" if only programs were compared
//	  "goos": "linux", "goarch": "amd64",
//	  "noisy": "...",                // bench: why the run cannot be trusted; absent if it can
//	  "packages": [{                 // bench: the scenarios, once for each Go
//	    "package": "example.com/p",
//	    "go": "go1.26.8",            // bench: that this package was built with
//	    "accelerated": [{"function": "crc32", "mode": "fast", "why": "..."}],
//	    "kept": [{"function": "deflate", "why": "..."}],
//	    "benchmarks": [{
//	      "name": "Insert/rows=10",  // without "Benchmark"; compare: with -N if several GOMAXPROCS ran; bench: the work, call/add
//	      "variant": "wherry",       // what is beside cgo; bench: how the work is done, cgo itself included
//	      "what": "two ints",        // bench: the work in words
//	      "procs": 1,                // bench: GOMAXPROCS, and goroutines that did it at once
//	      "cgo_ns": 1234.5,          // median, ns/op, of cgo: the plain build
//	      "ns": 1100,                // median, ns/op, of the variant; on several goroutines of each
//	      "ns_ci": [1090, 1120],     // its 95 % interval; null with fewer than 6 rounds
//	      "min_ns": 1080,            // the best round
//	      "ratio": 1.12,             // median over the rounds of cgo_ns / ns: above 1 is faster
//	      "ci": [1.10, 1.14],        // its 95 % interval; null with fewer than 6 rounds
//	      "verdict": "faster",       // or "slower", "no difference shown", "unclear" (result.go)
//	      "scaling": 1,              // bench: operations per second, as a multiple of those with the fewest procs
//	      "rounds": 10,
//	      "cgo_allocs": 1, "allocs": 0,    // per operation, median; only where they changed
//	      "cgo_bytes": 16, "bytes": 0,     // the same
//	      "samples": {"cgo_ns": [...], "ns": [...]},  // one pair a round
//	      "warnings": ["..."]
//	    }],
//	    "procs": 2,                  // compare: GOMAXPROCS of all benchmarks, if it was the same
//	    "not_compared": [{"name": "Load", "reason": "..."}],
//	    "ignored_units": ["MB/s"],   // reported by benchmarks, not compared
//	    "warnings": ["..."],
//	    "error": "..."               // why the package as a whole could not be compared
//	  }]
//	}
//
// A program that was compared as a whole process has two entries in
// benchmarks: "process/wall", the time from start to end, and "process/user",
// the CPU time in user mode, each in ns per run.
//
// # The scenarios
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
// cgo-declared (with #cgo noescape and nocallback); cgo, in the plain build; fast and
// reentrant (wherry's modes), and held (by a C thread that holds a P, one more than
// without), the same code in the build by wherry; for calls bind (package direct's Bind);
// for handoff free and locked (to its thread); for handles cgo (runtime/cgo) and wherry
// (package handle). In a clone of wherry also those of lab/rivals: purego, frame-64k (C on
// a goroutine's stack in a frame of 64 KB), go-pointer, cl600875.
package measure
