//go:build ignore

// The names of C functions, for whoever shows what trace.c has found: from the symbol tables of
// the very files, which are mapped when the first name is asked for and stay. It may be asked
// while the program dies, so it takes no lock of the C library's, and no memory but pages.

#if TRACES
#include <elf.h>
#include <fcntl.h>

enum { FILES = 64 };

// A symbol is a function in a file, by its address there.
typedef struct symbol { size_t low, high; const char *name, *source; } symbol;

// A file that code comes from. One that cannot be read has no symbols.
typedef struct file { const char *path; const char *low; symbol *symbols; size_t n; } file;
SHARED struct {
	int lock, n;
	file of[FILES];
	char own[256]; // the executable's path
} _wherry_files;

static char *map_file(const char *path, size_t *size) {
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	off_t end = lseek(fd, 0, SEEK_END); // fstat is new in glibc 2.33
	char *at = end > 0 ? mmap(NULL, (size_t)end, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	close(fd);
	*size = (size_t)end;
	return at == MAP_FAILED ? NULL : at;
}

// sift has a heap's rule hold below place i. C's qsort may take memory.
static void sift(symbol *s, size_t i, size_t n) {
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && s[child].low < s[child + 1].low)
			child++;
		if (s[i].low >= s[child].low)
			return;
		symbol swapped = s[i];
		s[i] = s[child], s[child] = swapped;
	}
}

static void sort(symbol *s, size_t n) {
	for (size_t i = n / 2; i-- > 0;)
		sift(s, i, n);
	while (n-- > 1) {
		symbol last = s[n];
		s[n] = s[0], s[0] = last;
		sift(s, 0, n);
	}
}

// table returns a table of symbols, with its strings, if all of it lies in the file.
static const ElfW(Shdr) *table(const char *at, size_t size, unsigned type, const ElfW(Shdr) **strings) {
	const ElfW(Ehdr) *h = (const void *)at;
	if (size < sizeof *h || memcmp(at, ELFMAG, SELFMAG) != 0 || h->e_shentsize != sizeof(ElfW(Shdr)) || h->e_shoff > size ||
		h->e_shnum > (size - h->e_shoff) / sizeof(ElfW(Shdr)))
		return NULL;
	const ElfW(Shdr) *all = (const void *)(at + h->e_shoff);
	for (size_t i = 0; i < h->e_shnum; i++) {
		if (all[i].sh_type != type || all[i].sh_link >= h->e_shnum)
			continue;
		*strings = &all[all[i].sh_link];
		for (const ElfW(Shdr) *s = &all[i];; s = *strings) {
			if (s->sh_offset > size || s->sh_size > size - s->sh_offset)
				return NULL;
			if (s == *strings)
				break;
		}
		if ((*strings)->sh_size > 0 && at[(*strings)->sh_offset + (*strings)->sh_size - 1] == 0)
			return &all[i];
	}
	return NULL;
}

// known_as returns what a person knows a function by: C.add, where cgo or wherry made a function of
// that call. The name ends so, and is changed where it is.
static const char *known_as(char *name) {
	char *of = name[0] == '_' ? strstr(name, "_Cfunc_") : NULL;
	return of != NULL ? memcpy(of + strlen("_Cfunc_") - 2, "C.", 2) : name;
}

// read_symbols reads those of C's functions: of Go's the runtime knows more.
static void read_symbols(file *f, char *at, size_t size, size_t bias) {
	const ElfW(Shdr) *strings, *section = table(at, size, SHT_SYMTAB, &strings);
	if (section == NULL && (section = table(at, size, SHT_DYNSYM, &strings)) == NULL)
		return;
	size_t n = section->sh_size / sizeof(ElfW(Sym));
	const ElfW(Sym) *from = (const void *)(at + section->sh_offset);
	symbol *to = mmap(NULL, n * sizeof *to + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (to == MAP_FAILED)
		return;
	const char *source = NULL;
	for (size_t i = 0; i < n; i++) {
		int type = from[i].st_info & 15;
		if (from[i].st_name >= strings->sh_size)
			continue;
		char *name = at + strings->sh_offset + from[i].st_name;
		if (type == STT_FILE)
			source = name;
		else if ((type == STT_FUNC || type == STT_GNU_IFUNC) && from[i].st_shndx != SHN_UNDEF && from[i].st_size > 0 &&
			!is_go(from[i].st_value + bias))
			to[f->n++] = (symbol){from[i].st_value, from[i].st_value + from[i].st_size, known_as(name),
				from[i].st_info >> 4 == STB_LOCAL ? source : NULL};
	}
	sort(to, f->n);
	f->symbols = to;
}

// file_of returns the file at an address, read.
static file *file_of(const struct object *o) {
	for (int i = 0; i < _wherry_files.n; i++)
		if (_wherry_files.of[i].low == o->low)
			return &_wherry_files.of[i];
	if (_wherry_files.n == FILES)
		return NULL;
	file *f = &_wherry_files.of[_wherry_files.n];
	int own = o->map == NULL;
	size_t size = 0;
	if (own && readlink("/proc/self/exe", _wherry_files.own, sizeof _wherry_files.own - 1) < 0)
		_wherry_files.own[0] = '?';
	char *at = map_file(own ? "/proc/self/exe" : o->map->l_name, &size);
	*f = (file){own ? _wherry_files.own : o->map->l_name, o->low, NULL, 0};
	if (at != NULL)
		read_symbols(f, at, size, own ? _wherry_traces.bias : o->map->l_addr);
	_wherry_files.n++;
	return f;
}

static const symbol *symbol_at(const file *f, size_t address) {
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

// _wherry_symbolize is what runtime.SetCgoTraceback calls a symbolizer. Lines are not known. But
// when a profile has one function without a file and a line, pprof reads all names anew from the
// debug information, and Go's inlined functions are lost: so there are both, but for crashes.
struct symbolize { size_t pc; const char *file; size_t line; const char *function; size_t entry, more, data; };
SHARED void _wherry_symbolize(struct symbolize *arg) {
	size_t pc = arg->pc;
	*arg = (struct symbolize){.pc = pc};
	struct object o;
	if (pc == 0 || !find_object(pc, &o))
		return;
	if (_wherry_thread.traced == NULL)
		arg->file = "?", arg->line = 1;
	_wherry_thread.busy++; // nothing that is called here turns a call
	const file *f = NULL;
	for (int tries = 0; tries < 1000; tries++) { // it may be this thread that died with the lock
		if (!__atomic_exchange_n(&_wherry_files.lock, 1, __ATOMIC_ACQUIRE)) {
			f = file_of(&o);
			__atomic_store_n(&_wherry_files.lock, 0, __ATOMIC_RELEASE);
			break;
		}
		if (_wherry_thread.traced == NULL)
			tries = 0;
		sched_yield();
	}
	_wherry_thread.busy--;
	if (f == NULL)
		return;
	size_t bias = o.map != NULL ? o.map->l_addr : _wherry_traces.bias;
	const char *name = strrchr(f->path, '/');
	const symbol *s = symbol_at(f, pc - bias);
	name = name != NULL ? name + 1 : f->path;
	arg->function = s != NULL ? s->name : name;
	arg->entry = s != NULL ? s->low + bias : 0;
	if (arg->file != NULL)
		arg->file = s != NULL && s->source != NULL ? s->source : name;
}
#endif
