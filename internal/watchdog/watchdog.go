// Package watchdog holds the watchdog of direct calls: the C source that tells
// of calls that take too long, which is compiled into programs that are built
// with -watchdog.
package watchdog

import _ "embed"

// Source is the C text. It includes only system headers.
//
//go:embed c/watchdog.c
var Source string

// StandIns satisfy a link that only looks for imports.
const StandIns = "void _wherry_watch_call(void) {}\n"
