// Functions that were judged by the code of shared libraries. When the program
// starts each library has to be the one that was looked at, by the build-id
// that the linker gave it; otherwise its functions go by cgo. Static: each
// package has its own list, which is written in place of PINS.

#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	unsigned short *state; // the function's guard begins with it
	const char *function, *package, *soname;
	const char *id; // hexadecimal
} pin;

PINS

// id_of writes an object's build-id, or nothing.
static void id_of(struct dl_phdr_info *info, char *text, size_t size) {
	*text = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type != PT_NOTE)
			continue;
		const char *at = (const char *)(info->dlpi_addr + p->p_vaddr), *end = at + p->p_memsz;
		size_t align = p->p_align == 8 ? 8 : 4;
		while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
			const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)at;
			size_t name = (note->n_namesz + align - 1) & ~(align - 1), id = (note->n_descsz + align - 1) & ~(align - 1);
			const unsigned char *bytes = (const unsigned char *)at + sizeof *note + name;
			if (name > (size_t)(end - at) || id > (size_t)(end - at) || sizeof *note + name + note->n_descsz > (size_t)(end - at))
				break;
			if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(at + sizeof *note, "GNU", 4) == 0 && 2 * note->n_descsz < size) {
				for (size_t k = 0; k < note->n_descsz; k++)
					sprintf(text + 2 * k, "%02x", bytes[k]);
				return;
			}
			at += sizeof *note + name + id;
		}
	}
}

typedef struct {
	const char *soname;
	char id[2 * 64 + 1];
} search;

static int look(struct dl_phdr_info *info, size_t size, void *arg) {
	(void)size;
	search *s = arg;
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash != NULL ? slash + 1 : info->dlpi_name;
	if (strcmp(name, s->soname) != 0)
		return 0;
	id_of(info, s->id, sizeof s->id);
	return 1;
}

__attribute__((constructor)) static void compare(void) {
	const char *verbose = getenv("WHERRY_VERBOSE");
	search s = {.soname = ""};
	for (const pin *p = pins; p->state != NULL; p++) {
		if (strcmp(s.soname, p->soname) != 0) {
			s.soname = p->soname;
			s.id[0] = 0;
			dl_iterate_phdr(look, &s);
		}
		if (strcmp(s.id, p->id) == 0)
			continue;
		__atomic_store_n(p->state, DEMOTED, __ATOMIC_RELAXED);
		if (verbose != NULL && strcmp(verbose, "1") == 0)
			dprintf(2, "wherry: C.%s of %s goes by cgo: it was checked with another build of %s (build-id %s, and here %s)\n",
				p->function, p->package, p->soname, p->id, *s.id ? s.id : "none");
	}
}
