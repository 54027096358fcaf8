//go:build ignore

// What stands behind the functions that the program defines (names.c): the definitions that the
// dynamic linker would give a plain program. In a shared library, whose own are hidden, the table is of
// references, and the dynamic linker fills it. In an executable it would find ours there, so wherry looks
// for itself, as the dynamic linker does: dlsym takes a version that nobody asked for,
// dlvsym takes none of a library without versions, and a preloaded library may define dlsym.
// (https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/symversion.html)

typedef void *real_function; // where the C library has it: the assembly reads that

// placed returns where something is of which a library's dynamic section says the place: the dynamic linker has
// added the library's own, where it can write there. That is less than 0 where prelinked libraries want the same place.
static inline size_t placed(size_t base, size_t at) { return (intptr_t)base < 0 || at >= base ? at : at + base; }

#if INTERPOSES
#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

// The tables are in names.c, without addresses that are to be relocated: a library's resolver (STT_GNU_IFUNC) may
// call what the program defines before that is. For the same reason, and since a preloaded library
// may define them, what finds one calls no function of the C library. The reals fill pages
// of their own. What is called before a function itself, or instead, has a place so many before it.
typedef struct {
	char name[28], version[16];
	int before;
} real_name;
extern real_function _wherry_reals[] HIDDEN;
extern const real_name _wherry_real_names[] HIDDEN;
extern const size_t _wherry_reals_size HIDDEN;

// They are filled when they are first needed, and at the start all that are left: then they
// are read-only.
SHARED struct {
	int storing; // threads
	int closed;
} _wherry_reals_state;

static __attribute__((noreturn)) void no_function(const char *why, const char *name, const char *what) {
	char text[512];
	int n = snprintf(text, sizeof text, "wherry: %s%s%s\n", why, name, what);
	if (n > 0)
		write_error(text, (size_t)n);
	abort();
}

// own_section returns the dynamic section of the executable, or library, if there is one: compilers take its
// address from a table that may not be relocated yet.
static const ElfW(Dyn) *own_section(void) {
	const ElfW(Dyn) *section;
#if defined(__x86_64__)
	__asm__(".weak _DYNAMIC; .hidden _DYNAMIC; leaq _DYNAMIC(%%rip), %0" : "=r"(section));
#else
	__asm__(".weak _DYNAMIC; .hidden _DYNAMIC; adrp %0, _DYNAMIC; add %0, %0, :lo12:_DYNAMIC" : "=r"(section));
#endif
	return section;
}

// debugged returns what the dynamic linker tells debuggers, or NULL: in a library, in a static program,
// and where the dynamic section is read-only.
static const struct r_debug *debugged(void) {
	const ElfW(Dyn) *d = own_section();
	while (d != NULL && d->d_tag != DT_NULL && d->d_tag != DT_DEBUG)
		d++;
	return d != NULL && d->d_tag == DT_DEBUG ? (const struct r_debug *)d->d_un.d_ptr : NULL;
}

// is_static reports whether there is no dynamic linker, which the functions of dlfcn.h
// would not say: they come back to us.
static int is_static(void) {
	if (debugged() != NULL)
		return 0;
	const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
	for (unsigned long i = 0; headers != NULL && i < getauxval(AT_PHNUM); i++)
		if (headers[i].p_type == PT_INTERP)
			return 0;
	return 1;
}

#ifdef __GLIBC__
// What a library exports, as its dynamic section says it.
typedef struct exports {
	const struct link_map *library;
	const ElfW(Sym) *symbols;
	const char *strings, *name; // by which programs need it
	const unsigned *gnu, *sysv; // hash tables: one of them
	const ElfW(Half) *versions; // NULL: it has none
	const ElfW(Verdef) *defined;
	int needed; // the program was linked with it
} exports;

static int same(const char *a, const char *b) {
	while (*a == *b && *a != 0)
		a++, b++;
	return *a == *b;
}

static const char *last_part(const char *path) {
	const char *name = path;
	while (*path != 0)
		if (*path++ == '/')
			name = path;
	return name;
}

static exports exports_of(const struct link_map *library) {
	exports e = {.library = library};
	size_t name = 0, versioned = 0;
	for (const ElfW(Dyn) *d = library->l_ld; d != NULL && d->d_tag != DT_NULL; d++) {
		const void *at = (const void *)placed(library->l_addr, d->d_un.d_ptr);
		switch (d->d_tag) {
		case DT_SYMTAB: e.symbols = at; break;
		case DT_STRTAB: e.strings = at; break;
		case DT_SONAME: name = d->d_un.d_val; break;
		case DT_GNU_HASH: e.gnu = at; break;
		case DT_HASH: e.sysv = at; break;
		case DT_VERSYM: e.versions = at; break;
		case DT_VERDEF: e.defined = at; // fall through
		case DT_VERNEED: versioned = 1; break;
		}
	}
	e.name = name != 0 && e.strings != NULL ? e.strings + name : last_part(library->l_name);
	if (!versioned)
		e.versions = NULL;
	return e;
}

// needs reports whether a program names a library: as that calls itself, or by its file.
static int needs(const exports *program, const exports *e) {
	for (const ElfW(Dyn) *d = program->library->l_ld; d != NULL && d->d_tag != DT_NULL; d++) {
		const char *named = d->d_tag == DT_NEEDED ? program->strings + d->d_un.d_val : NULL;
		if (named != NULL && (same(named, e->name) || same(named, e->library->l_name) || same(named, last_part(e->library->l_name))))
			return 1;
	}
	return 0;
}

static const char *name_of_version(const exports *e, const ElfW(Verdef) *d) {
	return e->strings + ((const ElfW(Verdaux) *)((const char *)d + d->vd_aux))->vda_name;
}

static const ElfW(Verdef) *next_version(const ElfW(Verdef) *d) {
	return d->vd_next != 0 ? (const void *)((const char *)d + d->vd_next) : NULL;
}

// version_of returns the name of a version, or NULL for that of symbols without one.
static const char *version_of(const exports *e, unsigned index) {
	const ElfW(Verdef) *d = e->defined;
	while (d != NULL && (d->vd_ndx != index || d->vd_flags & VER_FLG_BASE))
		d = next_version(d);
	return d != NULL ? name_of_version(e, d) : NULL;
}

// has_version reports whether a library has symbols of a version.
static int has_version(const exports *e, const char *version) {
	const ElfW(Verdef) *d = e->defined;
	while (d != NULL && !same(name_of_version(e, d), version))
		d = next_version(d);
	return d != NULL;
}

// answers reports whether a symbol is what a program gets that asks for a name and a version: one of that version, or
// without any. Of a library that the program names it is what programs are linked with, if the version is not known, or
// the library has versions of its own.
static int answers(const exports *e, size_t i, const real_name *wanted) {
	const ElfW(Sym) *s = &e->symbols[i];
	int type = ELF64_ST_TYPE(s->st_info), bind = ELF64_ST_BIND(s->st_info);
	if (s->st_shndx == SHN_UNDEF || s->st_value == 0 || (bind != STB_GLOBAL && bind != STB_WEAK && bind != STB_GNU_UNIQUE) ||
		(type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE && type != STT_OBJECT) ||
		ELF64_ST_VISIBILITY(s->st_other) == STV_HIDDEN || ELF64_ST_VISIBILITY(s->st_other) == STV_INTERNAL ||
		!same(e->strings + s->st_name, wanted->name))
		return 0;
	if (e->versions == NULL)
		return 1;
	const char *version = version_of(e, e->versions[i] & 0x7fff);
	if (version != NULL && wanted->version[0] != 0 && same(version, wanted->version))
		return 1;
	return (e->versions[i] & 0x8000) == 0 && // not hidden
		(version == NULL || (e->needed && (wanted->version[0] == 0 || !has_version(e, wanted->version))));
}

// symbol_of returns the symbol of a library that answers, or NULL.
static const ElfW(Sym) *symbol_of(const exports *e, const real_name *wanted) {
	if (e->symbols == NULL || e->strings == NULL)
		return NULL;
	if (e->gnu != NULL) { // buckets, first symbol, words of the filter, its shift; the filter; buckets; chains
		unsigned hash = 5381, n = e->gnu[0], words = e->gnu[2];
		for (const char *c = wanted->name; *c != 0; c++)
			hash = hash * 33 + (unsigned char)*c;
		const unsigned long *filter = (const unsigned long *)(e->gnu + 4);
		unsigned long word = words != 0 ? filter[hash / 64 & (words - 1)] : 0;
		if (n == 0 || !(word >> (hash & 63) & word >> (hash >> e->gnu[3] & 63) & 1))
			return NULL;
		const unsigned *buckets = (const unsigned *)(filter + words), *chains = buckets + n;
		for (size_t i = buckets[hash % n]; i != 0; i++) {
			unsigned at = chains[i - e->gnu[1]];
			if ((at | 1) == (hash | 1) && answers(e, i, wanted))
				return &e->symbols[i];
			if (at & 1)
				break;
		}
	} else if (e->sysv != NULL && e->sysv[0] != 0) { // buckets, symbols; buckets; chains
		unsigned hash = 0;
		for (const char *c = wanted->name; *c != 0; c++) {
			hash = (hash << 4) + (unsigned char)*c;
			hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
		}
		const unsigned *chains = e->sysv + 2 + e->sysv[0];
		for (size_t i = e->sysv[2 + hash % e->sysv[0]]; i != STN_UNDEF; i = chains[i])
			if (answers(e, i, wanted))
				return &e->symbols[i];
	}
	return NULL;
}

static char *address_of_symbol(const exports *e, const ElfW(Sym) *s) {
	return (char *)(s->st_shndx == SHN_ABS ? 0 : e->library->l_addr) + s->st_value;
}

// first_library returns the first of the namespace, and which one this is. Those that the program
// started with come first, and stay.
static const struct link_map *first_library(const struct link_map **own) {
	const struct r_debug *debug = debugged();
	if (debug != NULL)
		return *own = debug->r_map;
	Dl_info info;
	struct link_map *map = NULL;
	if (dladdr1(_wherry_reals, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
		map = NULL;
	*own = map;
	while (map != NULL && map->l_prev != NULL)
		map = map->l_prev;
	return map;
}

// resolved asks a symbol's resolver where the function is.
static void *resolved(const exports *e, const ElfW(Sym) *s) {
	char *resolver = address_of_symbol(e, s);
#if defined(__x86_64__)
	return ((void *(*)(void))resolver)();
#else // https://github.com/ARM-software/abi-aa/blob/main/sysvabi64/sysvabi64.rst, 10.2
	struct { unsigned long size, hwcap, hwcap2; } machine = {sizeof machine, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};
	return ((void *(*)(unsigned long, const void *))resolver)(machine.hwcap | 1ul << 62, &machine);
#endif
}

// fill_reals fills those that are missing of a part of the table.
static void fill_reals(const real_name *names, real_function *reals, size_t n) {
	const struct link_map *own, *library = first_library(&own);
	if (library == NULL)
		return;
	exports program = exports_of(own);
	for (size_t missing = n; library != NULL && missing != 0; library = library->l_next) {
		if (library == own)
			continue;
		exports e = exports_of(library);
		e.needed = needs(&program, &e);
		missing = 0;
		for (size_t i = 0; i < n; i++) {
			const ElfW(Sym) *s = reals[i] == NULL ? symbol_of(&e, &names[i]) : NULL;
			if (s != NULL)
				reals[i] = ELF64_ST_TYPE(s->st_info) == STT_GNU_IFUNC ? resolved(&e, s) : address_of_symbol(&e, s);
			missing += reals[i] == NULL;
		}
	}
}

// libc is the C library, of one part, or two.
typedef struct {
	exports parts[2];
	int n;
} libc;

static libc find_libc(void) {
	libc l = {.n = 0};
	const struct link_map *own, *library = first_library(&own);
	for (; library != NULL && l.n < 2; library = library->l_next) {
		exports e = exports_of(library);
		int last = same(e.name, "libc.so.6");
		e.needed = 1; // so where no version is known, programs are linked with what it has
		if (last || same(e.name, "libpthread.so.0"))
			l.parts[l.n++] = e;
		if (last)
			break;
	}
	return l;
}

// is_libc reports whether a function is the C library's own.
static int is_libc(const libc *l, const real_name *name, real_function real) {
	for (int i = 0; i < l->n; i++) {
		const ElfW(Sym) *s = symbol_of(&l->parts[i], name);
		if (s != NULL && (char *)real == address_of_symbol(&l->parts[i], s))
			return 1;
	}
	return 0;
}
#else // whose symbols have no versions
static void fill_reals(const real_name *names, real_function *reals, size_t n) {
	for (size_t i = 0; i < n; i++)
		if (reals[i] == NULL && (reals[i] = dlsym(RTLD_NEXT, names[i].name)) == NULL)
			dlerror(); // or C would read there what it did not ask for
}

typedef int libc;
static libc find_libc(void) { return 0; }

// The C library is the dynamic linker, too.
static int is_libc(const libc *l, const real_name *name, real_function real) {
	(void)l, (void)name;
	const char *base = (const char *)getauxval(AT_BASE), *at = real;
	if (base == NULL || at < base)
		return 0;
	const ElfW(Ehdr) *h = (const void *)base;
	const ElfW(Phdr) *part = (const void *)(base + h->e_phoff), *end = part + h->e_phnum;
	for (; part < end; part++)
		if (part->p_type == PT_LOAD && at >= base + part->p_vaddr && at < base + part->p_vaddr + part->p_memsz)
			return 1;
	return 0;
}
#endif

// _wherry_real returns the function that a name stands before. Where the C library at hand
// is older than that of the build and has none, nothing could stand for it.
SHARED void *_wherry_real(real_function *s) {
	if (*s == NULL) {
		static int asked;
		if (!asked && is_static())
			no_function("", "", "this program is linked with a static C library, which wherry did not see when it built it: "
				"say -ldflags='-extldflags=-static', or set CGO_LDFLAGS=-static");
		asked = 1;
		const real_name *name = &_wherry_real_names[s - _wherry_reals];
		void *real = NULL;
		fill_reals(name, &real, 1);
		__atomic_add_fetch(&_wherry_reals_state.storing, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_load_n(&_wherry_reals_state.closed, __ATOMIC_SEQ_CST))
			__atomic_store_n(s, real, __ATOMIC_RELAXED);
		__atomic_sub_fetch(&_wherry_reals_state.storing, 1, __ATOMIC_SEQ_CST);
		if (*s == NULL)
			no_function("the C library at hand has no function ", name->name, ": it is older than the one that the program was built with");
	}
	return *s;
}

// close_reals fills them and makes them read-only, where the system's pages are not larger than
// theirs and no filter of system calls refuses. What comes before a function, such as a lock's try, is done where both
// are the C library's: one that stands before it, and has the one but not the other, would not see what it sees
// plainly, and its streams may be others.
static void close_reals(void) {
	_wherry_real(&_wherry_reals[0]); // the program is not static, or this was its end
	size_t n = 0;
	while (_wherry_real_names[n].name[0] != 0)
		n++;
	real_function all[n];
	for (size_t i = 0; i < n; i++)
		all[i] = __atomic_load_n(&_wherry_reals[i], __ATOMIC_RELAXED);
	fill_reals(_wherry_real_names, all, n);
	libc l = find_libc();
	for (size_t i = 0; i < n; i++) {
		size_t of = i + (size_t)_wherry_real_names[i].before;
		if (of == i || (is_libc(&l, &_wherry_real_names[i], all[i]) && is_libc(&l, &_wherry_real_names[of], all[of])))
			__atomic_store_n(&_wherry_reals[i], all[i], __ATOMIC_RELAXED);
	}
	__atomic_store_n(&_wherry_reals_state.closed, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&_wherry_reals_state.storing, __ATOMIC_SEQ_CST) != 0)
		sched_yield();
	size_t page = getauxval(AT_PAGESZ);
	if (page != 0 && ((size_t)_wherry_reals | _wherry_reals_size) % page == 0)
		ask_kernel(SYS_mprotect, (long)_wherry_reals, (long)_wherry_reals_size, PROT_READ, 0, 0, 0);
}
#else
static void _wherry_real(real_function *s) { (void)s; }
static void close_reals(void) {}
#endif
