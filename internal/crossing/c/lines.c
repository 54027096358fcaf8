//go:build ignore

// The lines of C's functions, from the debug information of the executable's file: its line tables
// (DWARF 2 to 5, section 6.2 of the last), which are programs that make rows, and strings that they
// refer to. For a profile there is an index; a program that dies runs them all, and takes no memory.
// Nothing is believed: what is broken ends the look.

#if TRACES
#include <elf.h>
#include <link.h>

// A section is one of the file's. A linker may have compressed it: then there is room for it from
// the start, and it is whole when it is wanted first.
typedef struct section {
	const unsigned char *packed, *at;
	size_t packed_size, size;
	int whole;
} section;

// A row says which line the code from an address on is of, up to the next row's. It stands before
// program's next operation. The last of a sequence has ended set; the next one begins anew.
typedef struct row { size_t address; const unsigned char *program; unsigned file, line; int ended; } row;

// A waypoint is a row of a unit, from which lines are looked for.
typedef struct waypoint { row from; const unsigned char *unit; } waypoint;

enum { ANY_FILE = ~0u, ANOTHER = 1u << 31, ROWS = 64, PATHS = 1024, MOST_SECTION = 1 << 30 };

// A path is that of a unit's file.
typedef struct path { const unsigned char *unit; unsigned file; const char *name; } path;

SHARED struct {
	section lines, line_strings, strings;
	int read; // waypoints have been made, as far as they can be
	waypoint *waypoints; // by address
	size_t n, paths;
	path path[PATHS]; // kept ones
	char dying[1024];
} _wherry_lines;

// A unit is a line table, mostly that of one C file.
typedef struct unit {
	const unsigned char *at, *end, *lengths;
	bytes names, program;
	unsigned version, offset_size, step, range, first_special;
	int base;
} unit;

// A source_line is a line; its file is by its number in a unit.
typedef struct source_line { const unsigned char *unit; unsigned file, line; } source_line;

// sort sorts by the first word of each, by Shell's way: C's qsort may take memory. Much is in order
// already.
static void sort(void *all, size_t n, size_t size) {
	enum { WORDS = 8 };
	size_t *of = all, words = size / sizeof *of, gap = 1, one[WORDS];
	while (gap < n / 3)
		gap = 3 * gap + 1;
	for (; gap > 0; gap /= 3) {
		for (size_t i = gap, k; i < n; i++) {
			if (of[(i - gap) * words] <= of[i * words])
				continue;
			memcpy(one, &of[i * words], size);
			for (k = i; k >= gap && of[(k - gap) * words] > one[0]; k -= gap)
				memcpy(&of[k * words], &of[(k - gap) * words], size);
			memcpy(&of[k * words], one, size);
		}
	}
}

static void add_section(section *s, const unsigned char *at, const ElfW(Shdr) *h) {
	ElfW(Chdr) c;
	*s = (section){.at = at, .size = h->sh_size, .whole = 1};
	if (!(h->sh_flags & SHF_COMPRESSED))
		return;
	*s = (section){0};
	if (h->sh_size < sizeof c)
		return;
	memcpy(&c, at, sizeof c);
	if (c.ch_type != ELFCOMPRESS_ZLIB || c.ch_size == 0 || c.ch_size > MOST_SECTION)
		return;
	void *room = mmap(NULL, c.ch_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (room != MAP_FAILED)
		*s = (section){.packed = at + sizeof c, .packed_size = h->sh_size - sizeof c, .at = room, .size = c.ch_size};
}

static bytes contents(section *s) {
	if (!__atomic_load_n(&s->whole, __ATOMIC_ACQUIRE) && s->size > 0) {
		if (!inflate(s->packed, s->packed_size, (unsigned char *)s->at, s->size))
			s->size = 0;
		__atomic_store_n(&s->whole, 1, __ATOMIC_RELEASE);
	}
	return (bytes){s->at, s->at + s->size, 1};
}

// read_unit reads the head of the unit at b, and goes on to the next one.
static int read_unit(bytes *b, unit *u) {
	*u = (unit){.at = b->at, .offset_size = 4};
	size_t size = unsigned_of(b, 4);
	if (size == 0xffffffff)
		u->offset_size = 8, size = unsigned_of(b, 8);
	bytes in = {b->at, b->at, b->ok};
	skip(b, size);
	if (!b->ok)
		return 0;
	in.end = u->end = b->at;
	u->version = (unsigned)unsigned_of(&in, 2);
	if (u->version < 2 || u->version > 5)
		return 1;
	if (u->version == 5)
		skip(&in, 2); // sizes of addresses and segments
	size = unsigned_of(&in, u->offset_size);
	bytes program = in;
	skip(&program, size);
	u->step = (unsigned)unsigned_of(&in, 1);
	skip(&in, u->version < 4 ? 1 : 2); // what is a statement, and operations in an instruction
	u->base = (int)signed_of(&in, 1);
	u->range = (unsigned)unsigned_of(&in, 1);
	u->first_special = (unsigned)unsigned_of(&in, 1);
	u->lengths = in.at;
	skip(&in, u->first_special - 1);
	if (!in.ok || !program.ok || u->first_special == 0 || u->range == 0 || program.at < in.at)
		return 1;
	u->names = (bytes){in.at, program.at, 1};
	u->program = program;
	return 1;
}

static row first_row(const unit *u) { return (row){.program = u->program.at, .ended = 1}; }

static int is_c(size_t address) {
	const struct object *o = &_wherry_traces.executable;
	size_t pc = address + _wherry_traces.bias;
	return address != 0 && pc >= (size_t)o->low && pc < (size_t)o->high && !is_go(pc);
}

// next_row runs a program to its next row, if there is one.
static int next_row(const unit *u, row *r) {
	bytes b = {r->program, u->program.end, 1};
	if (r->ended)
		*r = (row){.file = 1, .line = 1};
	for (int made = 0; !made; r->program = b.at) {
		unsigned op = (unsigned)byte_of(&b);
		if (!b.ok)
			return 0;
		if (op >= u->first_special) {
			unsigned by = op - u->first_special;
			r->address += by / u->range * u->step;
			r->line += (unsigned)u->base + by % u->range;
			break;
		}
		size_t size;
		switch (op) {
		case 0: // an extended one
			size = uleb(&b);
			bytes in = b;
			skip(&b, size);
			if (size == 0 || !b.ok)
				return 0;
			op = *in.at++;
			if (op == 1)
				made = r->ended = 1;
			else if (op == 2 && size <= 1 + sizeof r->address)
				r->address = unsigned_of(&in, size - 1);
			break;
		case 1: made = 1; break;
		case 2: r->address += uleb(&b) * u->step; break;
		case 3: r->line += (unsigned)sleb(&b); break;
		case 4: r->file = (unsigned)uleb(&b); break;
		case 8: r->address += (255 - u->first_special) / u->range * u->step; break;
		case 5: uleb(&b); break; // of a column, as often as a row is
		case 9: r->address += unsigned_of(&b, 2); break;
		default:
			for (int i = u->lengths[op - 1]; i > 0; i--)
				uleb(&b);
		}
	}
	r->program = b.at;
	return b.ok;
}

// is_line_of reports whether a line is of a file, or, with ANOTHER, of another one.
static int is_line_of(const row *r, unsigned file) {
	return file == ANY_FILE || (r->line != 0 && (file & ANOTHER ? (file ^ ANOTHER) != r->file : file == r->file));
}

// look_up looks for the line of an address in the sequence that r is of, and goes to its end if it
// is not there. With a file it looks for the last line before that is of that file.
static int look_up(const unit *u, row *r, size_t address, unsigned file, source_line *to) {
	int found = 0, live = !r->ended;
	for (row before = *r; next_row(u, r); before = *r) {
		if (before.ended)
			live = is_c(r->address);
		else if (before.address <= address && is_line_of(&before, file))
			*to = (source_line){u->at, before.file, before.line}, found = before.line != 0;
		if (!before.ended && live && before.address <= address && address < r->address)
			return found;
		if (r->ended)
			return 0;
	}
	r->program = u->program.end;
	return 0;
}

// A wanted address is one whose line is looked for. Its line has no unit until it is found.
typedef struct wanted { size_t address; source_line line; } wanted;

// find_lines_dying looks for the lines of some addresses in all units, once for all of them: in a
// large program it takes a tenth of a second.
static void find_lines_dying(wanted *of, size_t n) {
	unit u;
	sort(of, n, sizeof *of);
	for (bytes b = contents(&_wherry_lines.lines); read_unit(&b, &u);) {
		row first = first_row(&u), before = first;
		if (!next_row(&u, &first) || is_go(first.address + _wherry_traces.bias))
			continue;
		int live = 0;
		size_t next = 0; // the first that may be in a row from here on
		for (row r = before; next_row(&u, &r); before = r) {
			if (before.ended)
				live = is_c(r.address), next = 0;
			else if (live)
				for (; next < n && of[next].address < r.address; next++)
					if (of[next].address >= before.address && of[next].line.unit == NULL && before.line != 0)
						of[next].line = (source_line){u.at, before.file, before.line};
		}
	}
}

// find_line_dying looks for the line of one of the addresses that are in a dying program's trace.
static int find_line_dying(size_t address, const size_t *pcs, size_t n, source_line *to) {
	static wanted of[MOST_FRAMES]; // one thread dies
	for (int looked = 0;; looked = 1) {
		for (size_t i = 0; i < MOST_FRAMES; i++)
			if (of[i].address == address)
				return *to = of[i].line, to->unit != NULL;
		if (looked)
			return 0;
		memset(of, 0, sizeof of);
		for (size_t i = 0; i < n; i++)
			of[i].address = pcs[i] - _wherry_traces.bias;
		find_lines_dying(of, n);
	}
}

// read_lines makes waypoints of the beginnings of sequences, and of each so many rows.
static void read_lines(void) {
	bytes b = contents(&_wherry_lines.lines);
	size_t most = (size_t)(b.end - b.at) / 8, n = 0, begun = 0; // fewer bytes make none
	waypoint *to = mmap(NULL, most * sizeof *to + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	_wherry_lines.read = 1;
	if (to == MAP_FAILED)
		return;
	for (unit u; read_unit(&b, &u);) {
		int live = 0, rows = 0, begins = 1;
		for (row r = first_row(&u); next_row(&u, &r) && n < most; begins = r.ended) {
			if (begins) {
				if (is_go(r.address + _wherry_traces.bias))
					break;
				live = is_c(r.address), rows = 0, begun = n;
			}
			if (r.ended && n > begun && to[begun].from.address == r.address)
				n = begun; // an empty one
			else if (live && !r.ended && rows++ % ROWS == 0)
				to[n++] = (waypoint){r, u.at};
		}
	}
	sort(to, n, sizeof *to);
	_wherry_lines.waypoints = to;
	_wherry_lines.n = n;
}

static int find_line(size_t address, size_t look, unsigned file, source_line *to) {
	size_t first = 0, last = _wherry_lines.n;
	while (first < last) {
		size_t middle = first + (last - first) / 2;
		if (_wherry_lines.waypoints[middle].from.address <= address)
			first = middle + 1;
		else
			last = middle;
	}
	if (first == 0)
		return 0;
	waypoint *m = &_wherry_lines.waypoints[first - 1];
	bytes b = contents(&_wherry_lines.lines);
	unit u;
	b.at = m->unit;
	row r = m->from;
	return read_unit(&b, &u) && look_up(&u, &r, look, file, to);
}

// text returns the string at b, and goes beyond it.
static const char *text(bytes *b) {
	const unsigned char *at = b->at, *end = b->ok && at < b->end ? memchr(at, 0, (size_t)(b->end - at)) : NULL;
	if (end == NULL)
		return b->ok = 0, NULL;
	b->at = end + 1;
	return (const char *)at;
}

static const char *text_in(section *s, size_t at) {
	bytes b = contents(s);
	skip(&b, at);
	return text(&b);
}

// entry reads a table of directories or of files, to its end: the name of that number, and of a
// file the number of its directory.
static const char *entry(const unit *u, bytes *b, int of_files, size_t number, size_t *directory) {
	enum { NAME = 1, DIRECTORY = 2 };
	const char *found = NULL, *name;
	if (u->version < 5) {
		for (size_t i = 1; (name = text(b)) != NULL && name[0] != 0; i++) {
			size_t in = of_files ? uleb(b) : 0;
			if (of_files)
				uleb(b), uleb(b); // time and size
			if (i == number)
				found = name, *directory = in;
		}
		return b->ok ? found : NULL;
	}
	bytes formats = *b;
	size_t kinds = unsigned_of(b, 1);
	for (size_t i = 0; i < 2 * kinds; i++)
		uleb(b);
	size_t n = uleb(b);
	for (size_t i = 0; i < n && b->ok && kinds > 0; i++) {
		bytes how = formats;
		skip(&how, 1);
		for (size_t k = 0; k < kinds && b->ok; k++) {
			size_t kind = uleb(&how), value = 0;
			name = NULL;
			switch (uleb(&how)) { // DW_FORM_...
			case 0x05: value = unsigned_of(b, 2); break;
			case 0x06: value = unsigned_of(b, 4); break;
			case 0x07: value = unsigned_of(b, 8); break;
			case 0x08: name = text(b); break;
			case 0x09: skip(b, uleb(b)); break;
			case 0x0b: value = unsigned_of(b, 1); break;
			case 0x0e: value = unsigned_of(b, u->offset_size), name = i == number ? text_in(&_wherry_lines.strings, value) : NULL; break;
			case 0x0f: value = uleb(b); break;
			case 0x1e: skip(b, 16); break;
			case 0x1f: value = unsigned_of(b, u->offset_size), name = i == number ? text_in(&_wherry_lines.line_strings, value) : NULL; break;
			default: return b->ok = 0, NULL;
			}
			if (i == number && kind == NAME)
				found = name;
			if (i == number && kind == DIRECTORY)
				*directory = value;
		}
	}
	return b->ok ? found : NULL;
}

// path_of writes the path of a line's file, if it is one: cgo names what it has made too.
static int path_of(const source_line *p, char *to, size_t size) {
	bytes b = contents(&_wherry_lines.lines), tables;
	unit u;
	size_t number = 0, none;
	b.at = p->unit;
	if (!read_unit(&b, &u))
		return 0;
	tables = u.names;
	entry(&u, &tables, 0, ~(size_t)0, &none);
	const char *name = entry(&u, &tables, 1, p->file, &number), *directory = NULL, *compiled = NULL;
	if (name == NULL || (strncmp(name, "cgo-", 4) == 0 && strchr(name, '.') == NULL)) // "cgo-gcc-prolog"
		return 0;
	if (name[0] != '/' && (number > 0 || u.version >= 5))
		tables = u.names, directory = entry(&u, &tables, 0, number, &none);
	if (directory != NULL && directory[0] != '/' && u.version >= 5)
		tables = u.names, compiled = number > 0 ? entry(&u, &tables, 0, 0, &none) : NULL;
	int n = snprintf(to, size, "%s%s%s%s%s", compiled ? compiled : "", compiled ? "/" : "", directory ? directory : "",
		directory ? "/" : "", name);
	return n > 0 && (size_t)n < size;
}

// find_line_in looks for the line of an address in a function. A profile has one file for each
// function: of code from another one, which was inlined, it is the line before. What cgo made for a call
// has none, so there it is the file of what was inlined last.
static int find_line_in(size_t low, size_t high, size_t address, source_line *to) {
	source_line own;
	char path[sizeof _wherry_lines.dying];
	if (!_wherry_lines.read)
		read_lines();
	if (!find_line(low, low, ANY_FILE, &own) ||
		(!path_of(&own, path, sizeof path) && !find_line(low, high - 1, own.file | ANOTHER, &own)))
		return 0;
	if (find_line(address, address, ANY_FILE, to) && to->unit == own.unit && to->file == own.file)
		return 1;
	if (!find_line(low, address, own.file, to))
		*to = own;
	return 1;
}
#endif
