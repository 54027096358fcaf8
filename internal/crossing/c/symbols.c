//go:build ignore

// The names of C functions, for whoever shows what trace.c has found. Those of the executable come
// from its file's symbol table, which is mapped at the start: later there may be another file of
// that name, or a filter that lets none be opened. A library's are those that the dynamic linker
// has in memory. The program may be dying: then nothing here takes memory, or waits.

#if TRACES
#include <elf.h>
#include <fcntl.h>
#include <link.h>

enum { FILES = 512, NAMES = 1 << 16, NAMED = 4096 };

// A symbol is a function, by its address in its object. Its name is the object's until it is kept.
// Of is its place in the object's table.
typedef struct symbol { size_t low, high; const char *name; unsigned of; int kept; } symbol;

// A named is a name that a profile has, and the file of its first function.
typedef struct named { const char *name, *file; } named;

// A file that code comes from, at the time of its last name.
typedef struct file { const char *name; size_t low; const void *strings; symbol *symbols; size_t n; } file;

// A list is a table of symbols with its strings, not yet looked at.
typedef struct list { const ElfW(Sym) *of; size_t n; const char *strings; size_t size; region in; } list;

SHARED struct {
	int lock, n;
	file of[FILES];
	list own; // the executable's
	char dying[256]; // a name
	char *names; // kept ones; the runtime refers to them for good
	size_t left;
	named named[NAMED]; // by a hash of the name
	int names_of;
} _wherry_files;

static bytes part_of(bytes file, size_t at, size_t size) {
	skip(&file, at);
	bytes end = file;
	skip(&end, size);
	return end.ok ? (bytes){file.at, end.at, 1} : (bytes){0};
}

// is_executable reports whether a file is the executable's: its program headers are those in memory.
// Where the dynamic linker was told to start a program, it is the executable to the kernel.
static int is_executable(const ElfW(Ehdr) *h, bytes file) {
	size_t size = h->e_phnum * sizeof(ElfW(Phdr));
	const void *here = part_of(file, h->e_phoff, size).at, *there = (const void *)getauxval(AT_PHDR);
	return here != NULL && there != NULL && h->e_phnum == getauxval(AT_PHNUM) && memcmp(here, there, size) == 0;
}

// map_file maps a program's file as far as its sections and their table reach: gold has the table
// before those that it compresses. To ask for the file's size would be a system call that plain programs may
// not make.
static bytes map_file(int fd) {
	ElfW(Ehdr) h;
	bytes none = {0};
	if (ask_kernel(SYS_pread64, fd, (long)&h, sizeof h, 0, 0, 0) != sizeof h || h.e_shentsize != sizeof(ElfW(Shdr)))
		return none;
	for (size_t end = h.e_shoff + h.e_shnum * sizeof(ElfW(Shdr));;) {
		char last;
		int whole = ask_kernel(SYS_pread64, fd, (long)&last, 1, (long)end - 1, 0, 0) == 1;
		unsigned char *at = whole ? mmap(NULL, end, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
		if (at == MAP_FAILED)
			return none;
		bytes file = {at, at + end, 1};
		const ElfW(Shdr) *all = (const void *)part_of(file, h.e_shoff, h.e_shnum * sizeof *all).at;
		if (all == NULL)
			return none;
		for (const ElfW(Shdr) *s = all; s < all + h.e_shnum; s++)
			if (s->sh_type != SHT_NOBITS && s->sh_offset + s->sh_size > end)
				end = s->sh_offset + s->sh_size;
		if (at + end == file.end)
			return file;
		munmap(at, (size_t)(file.end - at));
	}
}

// map_symbols maps the executable's file, for its symbol table and its lines, if there are such.
static void map_symbols(void) {
	int fd = (int)ask_kernel(SYS_openat, AT_FDCWD, (long)"/proc/self/exe", O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (fd < 0)
		return;
	bytes file = map_file(fd);
	ask_kernel(SYS_close, fd, 0, 0, 0, 0, 0);
	if (file.at == NULL)
		return;
	const ElfW(Ehdr) *h = (const void *)file.at;
	const ElfW(Shdr) *all = (const void *)(file.at + h->e_shoff);
	if (h->e_shstrndx >= h->e_shnum || !is_executable(h, file))
		return;
	bytes names = part_of(file, all[h->e_shstrndx].sh_offset, all[h->e_shstrndx].sh_size);
	for (const ElfW(Shdr) *s = all; s < all + h->e_shnum; s++) {
		bytes of = part_of(file, s->sh_offset, s->sh_size), name = names;
		skip(&name, s->sh_name);
		const char *called = of.ok && name.ok ? text(&name) : NULL;
		if (called == NULL)
			continue;
		if (s->sh_type == SHT_SYMTAB && s->sh_link < h->e_shnum) {
			bytes strings = part_of(file, all[s->sh_link].sh_offset, all[s->sh_link].sh_size);
			_wherry_files.own = (list){(const void *)of.at, s->sh_size / sizeof(ElfW(Sym)), (const char *)strings.at,
				(size_t)(strings.end - strings.at), {.high = ~(size_t)0, .whole = 1}};
		}
		if (strcmp(called, ".debug_line") == 0)
			add_section(&_wherry_lines.lines, of.at, s);
		if (strcmp(called, ".debug_line_str") == 0)
			add_section(&_wherry_lines.line_strings, of.at, s);
		if (strcmp(called, ".debug_str") == 0)
			add_section(&_wherry_lines.strings, of.at, s);
	}
}

// hashed returns how many symbols a library exports: as many as its hash table leads to.
static size_t hashed(region *in, const unsigned *t) {
	size_t last = 0;
	if (!readable(in, (size_t)t, 16))
		return 0;
	const unsigned *buckets = t + 4 + 2 * t[2], *chains = buckets + t[0];
	for (size_t i = 0; i < t[0]; i++) {
		if (!readable(in, (size_t)&buckets[i], 4))
			return 0;
		last = buckets[i] > last ? buckets[i] : last;
	}
	if (last < t[1])
		return 0;
	for (;; last++) {
		if (!readable(in, (size_t)&chains[last - t[1]], 4))
			return 0;
		if (chains[last - t[1]] & 1)
			return last + 1;
	}
}

// exported returns what a library exports.
static list exported(const struct object *o) {
	list l = {.in = {.low = (size_t)o->low, .high = (size_t)o->high}};
	const unsigned *hashes = NULL;
	for (const ElfW(Dyn) *d = o->map->l_ld; readable(&l.in, (size_t)d, sizeof *d) && d->d_tag != DT_NULL; d++) {
		size_t at = placed(o->map->l_addr, d->d_un.d_ptr);
		switch (d->d_tag) {
		case DT_SYMTAB: l.of = (const void *)at; break;
		case DT_STRTAB: l.strings = (const void *)at; break;
		case DT_STRSZ: l.size = d->d_un.d_val; break;
		case DT_GNU_HASH: hashes = (const void *)at; break;
		}
	}
	if (l.of != NULL && l.strings != NULL && hashes != NULL)
		l.n = hashed(&l.in, hashes);
	return l;
}

// is_function reports whether a symbol is one of C's functions, and which: of Go's the runtime knows
// more.
static int is_function(list *l, size_t i, size_t bias, symbol *to) {
	const ElfW(Sym) *s = &l->of[i];
	if (!readable(&l->in, (size_t)s, sizeof *s) || s->st_name >= l->size || s->st_shndx == SHN_UNDEF || s->st_size == 0)
		return 0;
	int type = s->st_info & 15;
	*to = (symbol){s->st_value, s->st_value + s->st_size, l->strings + s->st_name, (unsigned)i, 0};
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && !is_go(s->st_value + bias);
}

static void read_symbols(file *f, list *l, size_t bias) {
	size_t n = 0;
	symbol *to = mmap(NULL, l->n * sizeof *to + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (to == MAP_FAILED)
		return;
	for (size_t i = 0; i < l->n; i++)
		n += (size_t)is_function(l, i, bias, &to[n]);
	sort(to, n, sizeof *to);
	f->symbols = to;
	f->n = n;
}

// keep returns a copy of a name for good.
static const char *keep(const char *name) {
	size_t size = strlen(name) + 1;
	if (size > _wherry_files.left) {
		char *page = mmap(NULL, size + NAMES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED)
			return "?";
		_wherry_files.names = page;
		_wherry_files.left = size + NAMES;
	}
	char *to = memcpy(_wherry_files.names, name, size);
	_wherry_files.names += size;
	_wherry_files.left -= size;
	return to;
}

// known_as returns what a person knows a function by: C.add, where cgo or wherry made a function of
// that call.
static const char *known_as(const char *name) {
	const char *of = name[0] == '_' ? strstr(name, "_Cfunc_") : NULL;
	if (of == NULL)
		return keep(name);
	char *kept = (char *)keep(of + strlen("_Cfunc_") - 2);
	return kept[0] == '?' ? kept : memcpy(kept, "C.", 2);
}

static const char *last_of(const char *path) {
	const char *name = strrchr(path, '/');
	return name != NULL ? name + 1 : path;
}

// alone returns a name that no function of another file has: runtime/pprof knows functions by their
// names, and would show the file of the first.
static const char *alone(const char *name, const char *file) {
	size_t hash = 5381; // Bernstein's, as in ELF's tables
	for (const char *c = name; *c != 0; c++)
		hash = hash * 33 + (unsigned char)*c;
	named *of = &_wherry_files.named[hash % NAMED], *end = _wherry_files.named + NAMED;
	while (of->name != NULL && strcmp(of->name, name) != 0)
		of = of + 1 < end ? of + 1 : _wherry_files.named;
	if (of->name == NULL && _wherry_files.names_of < NAMED / 2) {
		*of = (named){name, file};
		_wherry_files.names_of++;
	}
	char both[512];
	if (of->name == NULL || strcmp(of->file, file) == 0 ||
		(size_t)snprintf(both, sizeof both, "%s (%s)", name, last_of(file)) >= sizeof both)
		return name;
	return keep(both);
}

// kept_path returns the path of a line's file.
static const char *kept_path(const source_line *p) {
	size_t i = 0, n = _wherry_lines.paths;
	char name_of[sizeof _wherry_lines.dying];
	while (i < n && (_wherry_lines.path[i].unit != p->unit || _wherry_lines.path[i].file != p->file))
		i++;
	if (i == PATHS)
		return NULL;
	if (i == n) {
		const char *name = path_of(p, name_of, sizeof name_of) ? keep(name_of) : NULL;
		_wherry_lines.path[_wherry_lines.paths++] = (path){p->unit, p->file, name};
	}
	return _wherry_lines.path[i].name;
}

// file_of returns the file of an object, read, with its table as it is now: where a library is gone there
// may be another one.
static file *file_of(const struct object *o, list *l) {
	int own = o->map == NULL;
	*l = own ? _wherry_files.own : exported(o);
	const char *name = last_of(own ? program_invocation_name : o->map->l_name);
	file *f = _wherry_files.of, *end = f + _wherry_files.n;
	while (f < end && f->low != (size_t)o->low)
		f++;
	if (f < end && f->strings == l->strings && strcmp(f->name, name) == 0)
		return f;
	if (f == _wherry_files.of + FILES)
		return NULL;
	_wherry_files.n += f == end;
	*f = (file){keep(name), (size_t)o->low, l->strings, NULL, 0};
	read_symbols(f, l, own ? _wherry_traces.bias : o->map->l_addr);
	return f;
}

// is_still reports whether the object has the symbol that was read.
static int is_still(list *l, size_t bias, const symbol *s) {
	symbol now;
	return s->of < l->n && is_function(l, s->of, bias, &now) && now.low == s->low && now.high == s->high &&
		(!s->kept || l->of == _wherry_files.own.of || strncmp(s->name, now.name, strlen(now.name)) == 0);
}

static symbol *symbol_at(const file *f, size_t address) {
	size_t first = 0, last = f->n;
	while (first < last) {
		size_t middle = first + (last - first) / 2;
		if (f->symbols[middle].low <= address)
			first = middle + 1;
		else
			last = middle;
	}
	return first > 0 && address < f->symbols[first - 1].high ? &f->symbols[first - 1] : NULL;
}

// _wherry_symbolize is what runtime.SetCgoTraceback calls a symbolizer. It knows what is in a profile
// and, in a crash, all; nothing else, as runtime.CallersFrames has it in a plain program. When a
// profile has one function without a file and a line, pprof reads all names anew from the debug
// information, and Go's inlined functions are lost: so where they are not known there are some, but
// for crashes.
struct symbolize { size_t pc; const char *file; size_t line; const char *function; size_t entry, more, data; };

static void symbolize(struct symbolize *arg) {
	struct object o;
	if (!find_object(arg->pc, &o))
		return;
	arg->file = "?", arg->line = 1;
	list l;
	file *f = file_of(&o, &l);
	if (f == NULL)
		return;
	size_t bias = o.map != NULL ? o.map->l_addr : _wherry_traces.bias;
	size_t address = arg->pc - bias;
	symbol *s = symbol_at(f, address);
	if (s != NULL && !is_still(&l, bias, s)) { // another library is there
		read_symbols(f, &l, bias);
		s = symbol_at(f, address);
	}
	source_line p;
	const char *path = o.map == NULL && s != NULL && find_line_in(s->low, s->high, address, &p) ? kept_path(&p) : NULL;
	arg->file = f->name; // the files that symbol tables name are wrong by gold and lld
	if (path != NULL)
		arg->file = path, arg->line = p.line;
	if (s != NULL && !s->kept) {
		s->name = known_as(s->name);
		if (strncmp(s->name, "C.", 2) != 0)
			s->name = alone(s->name, arg->file);
		s->kept = 1;
	}
	arg->function = s != NULL ? s->name : f->name;
	arg->entry = s != NULL ? s->low + bias : 0;
}

// is_whole reports whether a name can be read to its end: its library's file may have been cut.
static int is_whole(list *l, const char *name) {
	while (readable(&l->in, (size_t)name, 1))
		if (*name++ == 0)
			return 1;
	return 0;
}

// symbolize_dying does so while the program dies: it takes no lock, makes no system call but
// readable's, and the runtime prints at once.
static void symbolize_dying(struct symbolize *arg, const disguise *t) {
	struct object o;
	if (!find_object(arg->pc, &o))
		return;
	int own = o.map == NULL;
	list l = own ? _wherry_files.own : exported(&o);
	size_t bias = own ? _wherry_traces.bias : o.map->l_addr;
	arg->function = last_of(own ? program_invocation_name : o.map->l_name);
	source_line p;
	if (own && find_line_dying(arg->pc - bias, t->pcs, (size_t)t->n, &p) && path_of(&p, _wherry_lines.dying, sizeof _wherry_lines.dying))
		arg->file = _wherry_lines.dying, arg->line = p.line;
	symbol s;
	for (size_t i = 0; i < l.n; i++) {
		if (!is_function(&l, i, bias, &s) || arg->pc - bias < s.low || arg->pc - bias >= s.high)
			continue;
		if (!is_whole(&l, s.name))
			return;
		arg->function = s.name;
		arg->entry = s.low + bias;
		const char *of = s.name[0] == '_' ? strstr(s.name, "_Cfunc_") : NULL;
		if (of != NULL) {
			snprintf(_wherry_files.dying, sizeof _wherry_files.dying, "C.%s", of + strlen("_Cfunc_"));
			arg->function = _wherry_files.dying;
		}
		return;
	}
}

SHARED void _wherry_symbolize(struct symbolize *arg) {
	size_t pc = arg->pc;
	const disguise *dying = traced_here();
	unsigned char bit;
	*arg = (struct symbolize){.pc = pc};
	if (pc == 0 || !(dying != NULL || *bit_of(pc, &bit) & bit))
		return;
	_wherry_thread.busy++; // nothing that is called here turns a call
	if (dying != NULL) {
		symbolize_dying(arg, dying);
	} else {
		while (__atomic_exchange_n(&_wherry_files.lock, 1, __ATOMIC_ACQUIRE))
			sched_yield();
		UNLESS_FAULT(symbolize(arg)); // a library may be unloaded meanwhile
		__atomic_store_n(&_wherry_files.lock, 0, __ATOMIC_RELEASE);
	}
	_wherry_thread.busy--;
}
#endif
