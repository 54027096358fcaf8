// Package stat counts how often a program crosses between Go and C, and
// says what that costs: the C source of the counters, which is compiled into
// instrumented programs, and the report of wherry stat.
package stat

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Source is the C text of the counters. It includes only system headers.
//
//go:embed c/count.c
var Source string

// Environment names the file in which an instrumented program counts. It must
// exist and be empty.
const Environment = "WHERRY_STAT_FILE"

// Section is where an instrumented program has its records.
const Section = "wherry_stats"

// Kinds of crossings.
const (
	Call     = "call"     // Go calls C
	Callback = "callback" // C calls Go
	Turned   = "turned"   // a fast call becomes a cgo call; the place's mode says by what
	WhyNot   = "why not"  // no crossing: the place's why says why no thread holds its P, or no call is turned
	Held     = "held"     // a C thread begins to hold its P, or gives it back; the place's mode says which
)

// What turned a call, in the order of internal/crossing/c's enum why; and how many
// nanoseconds turned calls lasted from then on.
var turnedBy = []string{"signal", "blocking", "callback", "cgo", "ns"}

// CountTurns is the C definition of the places where the turned calls of a function are
// counted, under a symbol of its own.
func CountTurns(symbol, pkg, function string) string {
	return definition(symbol, "", Place{Package: pkg, Function: function, Kind: Turned}, turnedBy)
}

// CountHolds is that of the places where the holds of C threads are counted: how often
// and for how long their calls were turned, as with other calls, and how often they
// began.
func CountHolds(symbol string) string {
	return definition(symbol, "__weak__, ", Place{Kind: Held}, append(slices.Clip(turnedBy), "held"))
}

// definition defines a record for each of the modes.
func definition(symbol, attribute string, p Place, modes []string) string {
	var records []string
	for _, mode := range modes {
		p.Mode = mode
		records = append(records, p.record())
	}
	return fmt.Sprintf("struct _wherry_stat_record %s[%d] __attribute__((%s__section__(%q), __used__, __aligned__(64), "+
		"__visibility__(\"hidden\"))) = {%s};\n",
		symbol, len(records), attribute, Section, strings.Join(records, ", "))
}

// Declaration is the C text that has to stand before the first Count of a
// file. Its names and attributes are such that macros cannot hit them.
const Declaration = `
#ifndef _WHERRY_STAT
#define _WHERRY_STAT
struct _wherry_stat_record { const char *_wherry_text[5]; long _wherry_unused[3]; };
extern __thread unsigned long long *_wherry_stat_counts __attribute__((__visibility__("hidden"), __tls_model__("initial-exec")));
extern unsigned long long *_wherry_stat_new(void) __attribute__((__visibility__("hidden")));
extern struct _wherry_stat_record __start_wherry_stats[] __attribute__((__visibility__("hidden"), __weak__));
static __inline__ __attribute__((__always_inline__, __unused__)) int _wherry_stat_count(struct _wherry_stat_record *_wherry_s) {
	unsigned long long *_wherry_c = _wherry_stat_counts;
	if (__builtin_expect(_wherry_c == 0, 0))
		_wherry_c = _wherry_stat_new();
	_wherry_c[_wherry_s - __start_wherry_stats]++;
	return 0;
}
#endif
`

// StandIns satisfy a link that only looks for imports.
const StandIns = "__thread unsigned long long *_wherry_stat_counts;\nunsigned long long *_wherry_stat_new(void) { return 0; }\n"

// A Place is where crossings of one kind are counted.
type Place struct {
	Package  string // import path
	Function string // the C function, or the exported Go function
	Kind     string // Call or Callback
	Mode     string // fast, reentrant, held or cgo
	Why      string // this mode
}

// record is a place in C.
func (p Place) record() string {
	return fmt.Sprintf("{{%s, %s, %s, %s, %s}, {0, 0, 0}}", quote(p.Package), quote(p.Function), quote(p.Kind), quote(p.Mode), quote(p.Why))
}

// Count is the C declaration that counts when it stands at the start of a
// function. Of several places index, a C expression, selects one.
func Count(index string, places ...Place) string {
	var records []string
	for _, p := range places {
		records = append(records, p.record())
	}
	return fmt.Sprintf("\tstatic struct _wherry_stat_record _wherry_stat_here[%d] __attribute__((__section__(%q), __used__, "+
		"__aligned__(64))) = {%s};\n"+
		"\tint _wherry_stat_counted __attribute__((__unused__)) = _wherry_stat_count(_wherry_stat_here + (%s));\n",
		len(places), Section, strings.Join(records, ", "), index)
}

// quote writes a C string, without what would end a line of the names.
func quote(text string) string {
	var c strings.Builder
	c.WriteByte('"')
	for _, b := range []byte(text) {
		switch {
		case b == '"' || b == '\\' || b == '?':
			c.WriteString(`\` + string(b))
		case b < ' ':
			c.WriteByte(' ')
		case b >= 0x7f:
			fmt.Fprintf(&c, `\%03o`, b)
		default:
			c.WriteByte(b)
		}
	}
	c.WriteByte('"')
	return c.String()
}

// A Counted is a place and how often it was passed.
type Counted struct {
	Place
	N uint64
}

// ErrNotCounted is Read's answer when the program never opened the file.
var ErrNotCounted = fmt.Errorf("stat: the program counted nothing: it has no counters, or another process came first")

// Read reads the file of a program, which may still run.
func Read(path string) ([]Counted, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("stat: %w", err)
	}
	defer file.Close()
	var header struct{ Magic, Records, NamesSize, BlocksAt, Stride, Used, Capacity uint64 }
	if err := binary.Read(file, binary.LittleEndian, &header); err != nil || header.Magic == 0 {
		return nil, ErrNotCounted
	}
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("stat: %w", err)
	}
	size := uint64(info.Size())
	if header.Magic != 0x77687279 || header.NamesSize > size || header.BlocksAt > size || header.Records > header.Stride/8 ||
		header.Stride > size || header.Used > header.Capacity || header.Used*header.Stride > size-header.BlocksAt ||
		header.BlocksAt < uint64(binary.Size(header))+header.NamesSize {
		return nil, fmt.Errorf("stat: %s is damaged", path)
	}
	text := make([]byte, header.BlocksAt-uint64(binary.Size(header)))
	if _, err := io.ReadFull(file, text); err != nil {
		return nil, fmt.Errorf("stat: %s: %w", path, err)
	}
	names, notes := text[:header.NamesSize], text[header.NamesSize:]
	lines := strings.Split(strings.TrimSuffix(string(names), "\n"), "\n")
	if header.Records == 0 {
		return nil, nil
	}
	if uint64(len(lines)) != header.Records {
		return nil, fmt.Errorf("stat: %s is damaged: %d names of %d places", path, len(lines), header.Records)
	}
	counts := make([]uint64, header.Records)
	block := make([]byte, header.Records*8)
	for i := range header.Used {
		if _, err := file.ReadAt(block, int64(header.BlocksAt+i*header.Stride)); err != nil {
			return nil, fmt.Errorf("stat: %s: %w", path, err)
		}
		for j := range counts {
			counts[j] += binary.LittleEndian.Uint64(block[8*j:])
		}
	}
	var list []Counted // with and without errno a function has two places alike
	for i, line := range lines {
		words := strings.Split(line, "\t")
		if len(words) != 5 {
			return nil, fmt.Errorf("stat: %s is damaged: %s", path, strconv.Quote(line))
		}
		list = append(list, Counted{Place{words[0], words[1], words[2], words[3], words[4]}, counts[i]})
	}
	notes, _, _ = bytes.Cut(notes, []byte{0})
	for line := range strings.Lines(string(notes)) {
		c := Counted{Place{Kind: WhyNot, Why: strings.TrimSuffix(line, "\n")}, 1}
		if !slices.Contains(list, c) { // two threads may say it at once
			list = append(list, c)
		}
	}
	return list, nil
}
