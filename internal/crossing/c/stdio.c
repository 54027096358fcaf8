//go:build ignore

// Functions of stdio that wait only when a stream's buffer has not got what they want:
// a package that reads or writes byte by byte would turn every call for nothing. The
// buffer is looked at without the stream's lock. If another thread takes what is in it,
// or has the lock, this one waits in flight, and a signal of the runtime turns the call.
// musl keeps its streams to itself; there each call is turned.

#ifdef __GLIBC__
// left returns how many bytes there are behind *from to read. While another thread fills
// the buffer the two ends may not be of the same moment; they are in the buffer.
static size_t left(FILE *f, const char **from) {
	const char *ptr = *(char *volatile *)&f->_IO_read_ptr, *end = *(char *volatile *)&f->_IO_read_end;
	*from = ptr;
	return ptr < end && ptr >= f->_IO_buf_base && end <= f->_IO_buf_end ? (size_t)(end - ptr) : 0;
}

static int holds(FILE *f, size_t size, size_t n) {
	size_t wanted;
	const char *from;
	return !__builtin_mul_overflow(size, n, &wanted) && wanted <= left(f, &from);
}

static int holds_line(FILE *f, int most) {
	const char *from;
	size_t have = left(f, &from);
	return (most > 0 && have >= (size_t)most - 1) || (have != 0 && memchr(from, '\n', have) != NULL);
}

// Where the stream is not being written to, or by lines or bytes, the end is not behind
// the place.
static int has_room(FILE *f, size_t size, size_t n) {
	size_t wanted;
	ptrdiff_t room = f->_IO_write_end - f->_IO_write_ptr;
	return room > 0 && !__builtin_mul_overflow(size, n, &wanted) && wanted <= (size_t)room;
}

// Known is where the function is once more, if that is the C library's: no other one's streams are looked into.
#define BUFFERED(result, name, known, params, args, enough) \
	WAITS(result, name, (known) + 1, params, args) \
	DEFINES(result, name, buffered, params) { \
		result (*real_one) params = (result (*) params)cached(known); \
		return LIKELY(real_one != NULL) && LIKELY(enough) ? real_one args : waits_##name args; \
	}
#define READS(name, known) BUFFERED(size_t, name, known, (void *to, size_t size, size_t n, FILE *f), (to, size, n, f), holds(f, size, n))
#define READS_CHECKED(name, known) \
	BUFFERED(size_t, name, known, (void *to, size_t room, size_t size, size_t n, FILE *f), (to, room, size, n, f), holds(f, size, n))
#define READS_BYTE(name, known) BUFFERED(int, name, known, (FILE *f), (f), holds(f, 1, 1))
#define READS_LINE(name, known) BUFFERED(char *, name, known, (char *to, int n, FILE *f), (to, n, f), holds_line(f, n))
#define READS_LINE_CHECKED(name, known) \
	BUFFERED(char *, name, known, (char *to, size_t room, int n, FILE *f), (to, room, n, f), holds_line(f, n))
#define READS_WHOLE_LINE(name, known) BUFFERED(ssize_t, name, known, (char **to, size_t *n, FILE *f), (to, n, f), holds_line(f, 0))
#define WRITES(name, known) \
	BUFFERED(size_t, name, known, (const void *from, size_t size, size_t n, FILE *f), (from, size, n, f), has_room(f, size, n))
#define WRITES_BYTE(name, known) BUFFERED(int, name, known, (int c, FILE *f), (c, f), has_room(f, 1, 1))
#define WRITES_STRING(name, known) BUFFERED(int, name, known, (const char *from, FILE *f), (from, f), has_room(f, 1, strlen(from)))

static long digits(const char **at) {
	long n = 0;
	for (; **at >= '0' && **at <= '9'; ++*at)
		n = n < 1 << 20 ? 10 * n + **at - '0' : n;
	return n;
}

// most returns how many bytes a format writes at most, or -1: it has a string without a precision, a width
// or a precision among its arguments, or what is rare.
static long most(const char *format) {
	long n = 0;
	for (const char *c = format; *c != 0; c++) {
		if (*c != '%') {
			n++;
			continue;
		}
		do
			c++;
		while (*c == '-' || *c == '+' || *c == ' ' || *c == '#' || *c == '0');
		long width = digits(&c), precision = -1, room;
		if (*c == '.') {
			c++;
			precision = digits(&c);
		}
		while (*c == 'h' || *c == 'l' || *c == 'j' || *c == 'z' || *c == 't')
			c++;
		switch (*c) {
		case '%':
			room = 1;
			break;
		case 'd': case 'i': case 'u': case 'o': case 'x': case 'X': case 'p':
			room = (precision > 22 ? precision : 22) + 3; // a sign or 0x, and 64 bits in octal digits
			break;
		case 'c':
			room = 16; // a wide one
			break;
		case 's':
			room = precision;
			break;
		case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
			room = (precision < 0 ? 16 : precision) + 40; // a sign, a point of some bytes, an exponent
			break;
		case 'f': case 'F':
			if (c[-1] == 'l' && c[-2] == 'l') // glibc takes that for a long double
				return -1;
			room = (precision < 0 ? 6 : precision) + 309 + 31;
			break;
		default:
			return -1;
		}
		if (room < 0 || (n += room > width ? room : width) > 1 << 20)
			return -1;
	}
	return n;
}

static int fits(FILE *f, const char *format) {
	ptrdiff_t room = f->_IO_write_end - f->_IO_write_ptr;
	long n;
	return room > 0 && format != NULL && (n = most(format)) >= 0 && n <= room; // glibc refuses NULL
}

// FORMATS is called by the function itself, whose arguments nobody knows (names.go): it returns
// where to go at once, or NULL.
#define FORMATS(name, known, params, stream) \
	HIDDEN __attribute__((used)) void *_wherry_fits_##name params { \
		void *real = cached(known); \
		return LIKELY(real != NULL) && fits(stream, format) ? real : NULL; \
	}
#define FORMATS_TO(name, known) FORMATS(name, known, (FILE *f, const char *format), f)
#define FORMATS_TO_CHECKED(name, known) FORMATS(name, known, (FILE *f, int flag, const char *format), ((void)flag, f))
#define FORMATS_OUT(name, known) FORMATS(name, known, (const char *format), stdout)
#define FORMATS_OUT_CHECKED(name, known) FORMATS(name, known, (int flag, const char *format), ((void)flag, stdout))
#define FORMATS_LIST(name, known) \
	BUFFERED(int, name, known, (FILE *f, const char *format, va_list list), (f, format, list), fits(f, format))
#define FORMATS_LIST_CHECKED(name, known) \
	BUFFERED(int, name, known, (FILE *f, int flag, const char *format, va_list list), (f, flag, format, list), fits(f, format))
#endif
