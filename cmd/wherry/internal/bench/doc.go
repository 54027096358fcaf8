// Package bench compares two builds of the same Go code: one by the plain go
// command and one accelerated by wherry. It takes finished executables; how
// they are built is not its business.
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
// # JSON
//
// WriteJSON writes one object on one line. Its format is stable: names keep
// their meaning, new ones may come.
//
//	{
//	  "go": "go1.26.8",              // of the executables
//	  "cpu": "...",                  // as the benchmarks print it; "" if only programs were compared
//	  "goos": "linux", "goarch": "amd64",
//	  "packages": [{
//	    "package": "example.com/p",
//	    "accelerated": [{"function": "crc32", "mode": "fast", "why": "...", "calls": 12}],  // calls: in a short run, where many are fast
//	    "kept": [{"function": "deflate", "why": "..."}],
//	    "benchmarks": [{
//	      "name": "Insert/rows=10",  // without "Benchmark"; with -N if several GOMAXPROCS ran
//	      "cgo_ns": 1234.5,          // median, ns/op, plain build
//	      "wherry_ns": 1100,         // median, ns/op, accelerated build
//	      "ratio": 1.12,             // median over the rounds of cgo_ns / wherry_ns
//	      "ci": [1.10, 1.14],        // its 95 % interval; null when there are too few rounds for one
//	      "verdict": "faster",       // or "slower", "no difference shown", "unclear" (result.go)
//	      "rounds": 10,
//	      "cgo_allocs": 1, "wherry_allocs": 0,    // per operation, median; only where they changed
//	      "cgo_bytes": 16, "wherry_bytes": 0,     // the same
//	      "samples": {"cgo_ns": [...], "wherry_ns": [...]},  // one pair a round
//	      "warnings": ["..."]
//	    }],
//	    "procs": 2,                  // GOMAXPROCS of all benchmarks, if it was the same
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
package bench
