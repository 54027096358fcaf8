// No header of the C library's, which would declare these names.
extern void _Exit(int);
extern int goCount(int);

struct door { int is_open, opened; };

// Who else calls these has no door.
static struct door *front = &(struct door){0};
static struct door *checked(struct door *d) {
	if (d != front) _Exit(55);
	return d;
}
#define ABOUT_DOORS(name) struct door *name(struct door *d) { checked(d)->is_open = !d->is_open; return d; }
ABOUT_DOORS(open)
ABOUT_DOORS(close)
ABOUT_DOORS(pread)
ABOUT_DOORS(syscall)
ABOUT_DOORS(mprotect)
ABOUT_DOORS(mincore)
ABOUT_DOORS(madvise)
ABOUT_DOORS(memmem)
ABOUT_DOORS(sigdelset)
ABOUT_DOORS(dl_iterate_phdr)

void turn(int doors) {
	for (int i = 0; i < doors; i++) {
		front->opened = goCount(open(front)->opened);
		close(front);
	}
}
