//go:build ignore

// From a C function to its caller, by the call-frame information that compilers write for every
// function, whether anybody wants it or not (.eh_frame: DWARF 5, section 6.4, in the form of the
// Linux Standard Base, which adds a sorted table). This runs in signal handlers: it takes no
// lock and no memory. It reads within the stack and within the object whose tables they are and,
// where it does not know that all is there, what the kernel says can be read. So a coroutine's stack, a wrong
// table or none, and a library that is gone end a walk, and no more.

#if TRACES
#if defined(__x86_64__)
enum { FP = 6, SP = 7, RA = 16, REGISTERS = 17 }; // by DWARF's numbers
#else
enum { FP = 29, RA = 30, SP = 31, REGISTERS = 32 };
#endif

// A frame is a function that has called another one, or was interrupted.
typedef struct frame {
	size_t pc, r[REGISTERS];
	unsigned known;   // a bit for each register
	int interrupted;  // at pc, or else it is where a call returns to
} frame;

// A region may be read: of a stack what is in use, of an object its tables. Its pages are asked
// for, once each mostly, but for the program's own, which are there for good.
typedef struct region {
	size_t low, high;
	int whole;
	size_t seen[8]; // numbers of pages that can be read
} region;

enum { PAGE = 4096, MOST_BYTES = 1 << 16 }; // larger pages are many of these

// can_read asks the kernel whether there are eight bytes: it reads a set of signals before it looks
// at what to do with it, which is nothing.
static int can_read(size_t at) {
	return change_mask(-1, (const void *)at, NULL) == -EINVAL;
}

static int readable(region *r, size_t at, size_t size) {
	if (at < r->low || at > r->high || size > r->high - at || size > MOST_BYTES)
		return 0;
	for (size_t page = at / PAGE; !r->whole && page * PAGE < at + size; page++) {
		size_t *seen = &r->seen[page % (sizeof r->seen / sizeof *seen)];
		if (*seen != page && !can_read(page * PAGE))
			return 0;
		*seen = page;
	}
	return 1;
}

static int load(region *stack, size_t at, size_t *to) {
	if (at % sizeof *to != 0 || !readable(stack, at, sizeof *to))
		return 0;
	*to = *(const size_t *)at;
	return 1;
}

// bytes are a piece of a table; ok is 0 when there were too few.
typedef struct bytes { const unsigned char *at, *end; int ok; } bytes;

static bytes piece(region *r, const unsigned char *at, size_t size) {
	return readable(r, (size_t)at, size) ? (bytes){at, at + size, 1} : (bytes){at, at, 0};
}

static void skip(bytes *b, size_t size) {
	if (size > (size_t)(b->end - b->at))
		b->ok = 0, size = 0;
	b->at += size;
}

static size_t unsigned_of(bytes *b, size_t size) {
	size_t v = 0;
	if ((size_t)(b->end - b->at) < size)
		return b->ok = 0;
	memcpy(&v, b->at, size); // both processors are little-endian
	b->at += size;
	return v;
}

static long signed_of(bytes *b, size_t size) {
	int unused = 64 - 8 * (int)size;
	return (long)(unsigned_of(b, size) << unused) >> unused;
}

static INLINE size_t byte_of(bytes *b) { return b->at < b->end ? *b->at++ : (b->ok = 0); }

static size_t leb(bytes *b, int is_signed) {
	size_t v = 0;
	unsigned shift = 0;
	for (;; shift += 7) {
		size_t byte = byte_of(b); // 0, the last, if there is none
		if (shift < 64)
			v |= (byte & 127) << shift;
		if (byte < 128) {
			shift += 7;
			return is_signed && byte & 64 && shift < 64 ? v | ~(size_t)0 << shift : v;
		}
	}
}
static INLINE size_t uleb(bytes *b) { return b->at < b->end && *b->at < 128 ? *b->at++ : leb(b, 0); }
static long sleb(bytes *b) { return (long)leb(b, 1); }

// encoded reads a pointer in one of DW_EH_PE's forms.
static size_t encoded(bytes *b, unsigned how, size_t table) {
	size_t here = (size_t)b->at, v;
	switch (how & 15) {
	case 0: case 4: case 12: v = unsigned_of(b, 8); break;
	case 1: v = uleb(b); break;
	case 2: v = unsigned_of(b, 2); break;
	case 3: v = unsigned_of(b, 4); break;
	case 9: v = (size_t)sleb(b); break;
	case 10: v = (size_t)signed_of(b, 2); break;
	case 11: v = (size_t)signed_of(b, 4); break;
	default: return b->ok = 0;
	}
	switch (how & 0x70) {
	case 0: return v;
	case 0x10: return v + here;
	case 0x30: return v + table;
	}
	return b->ok = 0;
}

// evaluate computes the expressions that compilers write for realigned stacks, and linkers for
// linkage tables.
static int evaluate(const unsigned char *e, const frame *f, region *stack, const size_t *first, size_t *to) {
	enum { MOST = 8 };
	size_t s[MOST + 1], n = 0;
	bytes b = {e, e + 16, 1};
	size_t size = uleb(&b);
	b.end = b.at + size; // follow has seen to that
	if (first != NULL)
		s[n++] = *first;
	while (b.ok && b.at < b.end && n < MOST) {
		unsigned op = (unsigned)unsigned_of(&b, 1), reg = op - 0x70;
		if (reg < 32) { // DW_OP_breg
			long offset = sleb(&b);
			if (reg == RA && RA == 16)
				s[n++] = f->pc + (size_t)offset;
			else if (reg >= REGISTERS || !(f->known >> reg & 1))
				return 0;
			else
				s[n++] = f->r[reg] + (size_t)offset;
		} else if (op - 0x30 < 32) { // DW_OP_lit
			s[n++] = op - 0x30;
		} else if (op == 0x08) { // DW_OP_const1u
			s[n++] = unsigned_of(&b, 1);
		} else if (op == 0x09) { // DW_OP_const1s
			s[n++] = (size_t)signed_of(&b, 1);
		} else if (n > 0 && op == 0x06) { // DW_OP_deref
			if (!load(stack, s[n - 1], &s[n - 1]))
				return 0;
		} else if (n > 0 && op == 0x23) { // DW_OP_plus_uconst
			s[n - 1] += uleb(&b);
		} else if (n > 1) {
			size_t right = s[--n], *left = &s[n - 1];
			switch (op) {
			case 0x1a: *left &= right; break;
			case 0x1c: *left -= right; break;
			case 0x22: *left += right; break;
			case 0x24: *left <<= right & 63; break;
			case 0x2a: *left = (long)*left >= (long)right; break;
			default: return 0;
			}
		} else {
			return 0;
		}
	}
	if (!b.ok || n == 0 || b.at < b.end)
		return 0;
	*to = s[n - 1];
	return 1;
}

// Where a register of the caller's is: in itself, at an offset from the frame's address (CFA), ...
enum where { SAME, AT_OFFSET, IS_OFFSET, AT_EXPRESSION, IS_EXPRESSION, IN_REGISTER, NOWHERE };

typedef struct rules {
	struct { enum where where; long n; } of[REGISTERS];
	size_t cfa_register;
	long cfa_offset;
	const unsigned char *cfa_expression;
} rules;

// A description is what the tables say of a function: a CIE and an FDE.
typedef struct description {
	bytes common, own; // instructions
	size_t begin, size, code_unit;
	long data_unit;
	unsigned how; // pointers are written
} description;

static void set_rule(rules *now, size_t reg, enum where where, long n) {
	if (reg < REGISTERS) // others are floating-point ones
		now->of[reg].where = where, now->of[reg].n = n;
}

// follow does what the tables' instructions say, up to pc.
static int follow(bytes b, const description *d, size_t pc, rules *now, const rules *initial) {
	enum { DEPTH = 4 };
	rules saved[DEPTH];
	size_t kept = 0, at = d->begin, reg;
	while (b.ok && b.at < b.end) {
		unsigned op = (unsigned)unsigned_of(&b, 1), low = op & 63;
		size_t advance = 0;
		switch (op >> 6 != 0 ? op & 0xc0 : op) {
		case 0x40: advance = low; break;
		case 0x80: set_rule(now, low, AT_OFFSET, (long)uleb(&b) * d->data_unit); break;
		case 0xc0: reg = low; goto restore;
		case 0x00: break; // nothing
		case 0x01: advance = (encoded(&b, d->how, 0) - at) / d->code_unit; break;
		case 0x02: advance = unsigned_of(&b, 1); break;
		case 0x03: advance = unsigned_of(&b, 2); break;
		case 0x04: advance = unsigned_of(&b, 4); break;
		case 0x05: reg = uleb(&b), set_rule(now, reg, AT_OFFSET, (long)uleb(&b) * d->data_unit); break;
		case 0x06: reg = uleb(&b);
		restore:
			if (reg < REGISTERS)
				now->of[reg] = initial->of[reg];
			break;
		case 0x07: set_rule(now, uleb(&b), NOWHERE, 0); break;
		case 0x08: set_rule(now, uleb(&b), SAME, 0); break;
		case 0x09: reg = uleb(&b), set_rule(now, reg, IN_REGISTER, (long)uleb(&b)); break;
		case 0x0a:
			if (kept == DEPTH)
				return 0;
			saved[kept++] = *now;
			break;
		case 0x0b:
			if (kept == 0)
				return 0;
			*now = saved[--kept];
			break;
		case 0x0c: now->cfa_register = uleb(&b), now->cfa_offset = (long)uleb(&b), now->cfa_expression = NULL; break;
		case 0x0d: now->cfa_register = uleb(&b), now->cfa_expression = NULL; break;
		case 0x0e: now->cfa_offset = (long)uleb(&b); break;
		case 0x0f: now->cfa_expression = b.at, skip(&b, uleb(&b)); break;
		case 0x10: case 0x16:
			reg = uleb(&b), set_rule(now, reg, op == 0x10 ? AT_EXPRESSION : IS_EXPRESSION, (long)b.at);
			skip(&b, uleb(&b));
			break;
		case 0x11: reg = uleb(&b), set_rule(now, reg, AT_OFFSET, sleb(&b) * d->data_unit); break;
		case 0x12: now->cfa_register = uleb(&b), now->cfa_offset = sleb(&b) * d->data_unit, now->cfa_expression = NULL; break;
		case 0x13: now->cfa_offset = sleb(&b) * d->data_unit; break;
		case 0x14: reg = uleb(&b), set_rule(now, reg, IS_OFFSET, (long)uleb(&b) * d->data_unit); break;
		case 0x2d: break; // arm64: return addresses are signed, or no longer; see address
		case 0x2e: uleb(&b); break; // how large a call's arguments are
		default: return 0;
		}
		at += advance * d->code_unit;
		if (advance != 0 && at > pc)
			return 1;
	}
	return b.ok;
}

// describe reads a CIE and an FDE.
static int describe(region *tables, const unsigned char *fde, description *d) {
	bytes b = piece(tables, fde, 4);
	b = piece(tables, fde + 4, unsigned_of(&b, 4));
	const unsigned char *cie = b.at;
	cie -= unsigned_of(&b, 4);
	bytes c = piece(tables, cie, 4);
	c = piece(tables, cie + 4, unsigned_of(&c, 4));
	unsigned_of(&c, 4);
	size_t size, version = unsigned_of(&c, 1), letter;
	bytes letters = c;
	while (unsigned_of(&c, 1) != 0 && c.ok) {}
	d->code_unit = uleb(&c);
	d->data_unit = sleb(&c);
	size_t back = version == 1 ? unsigned_of(&c, 1) : uleb(&c);
	d->how = 0;
	letter = unsigned_of(&letters, 1);
	int sized = letter == 'z';
	if (sized) {
		bytes more;
		size = uleb(&c);
		more = c;
		skip(&c, size);
		while ((letter = unsigned_of(&letters, 1)) != 0 && more.ok)
			switch (letter) {
			case 'R': d->how = (unsigned)unsigned_of(&more, 1); break;
			case 'L': unsigned_of(&more, 1); break;
			case 'P': size = unsigned_of(&more, 1), encoded(&more, size & 0x7f, 0); break;
			case 'B': break; // arm64: return addresses are signed by the other key
			default: return 0; // S: C's frames go on behind a signal handler
			}
	} else if (letter != 0) {
		return 0;
	}
	if (!b.ok || !c.ok || d->code_unit == 0 || back != RA)
		return 0;
	d->common = c;
	d->begin = encoded(&b, d->how, 0);
	d->size = encoded(&b, d->how & 15, 0);
	if (sized)
		skip(&b, uleb(&b));
	d->own = b;
	return b.ok;
}

// find looks a function up in a sorted table (.eh_frame_hdr).
static int find(region *tables, const unsigned char *table, size_t pc, description *d) {
	bytes b = piece(tables, table, 12);
	if (!b.ok || table[0] != 1 || table[2] != 3 || table[3] != 0x3b)
		return 0;
	b.at += 4;
	encoded(&b, table[1] & 15, 0);
	size_t count = encoded(&b, table[2], 0), first = 0, last = count;
	const int (*entries)[2] = (const void *)b.at; // from the table to a function, and its FDE
	while (first < last) {
		size_t middle = first + (last - first) / 2;
		if (!readable(tables, (size_t)entries[middle], sizeof entries[middle]))
			return 0;
		if ((size_t)table + (size_t)(long)entries[middle][0] <= pc)
			first = middle + 1;
		else
			last = middle;
	}
	return b.ok && first > 0 && readable(tables, (size_t)entries[first - 1], sizeof entries[0]) &&
		describe(tables, table + entries[first - 1][1], d) && pc - d->begin < d->size;
}

// address is a return address without arm64's signature.
static size_t address(size_t v) {
#if defined(__x86_64__)
	return v;
#else
	return v & (((size_t)1 << 48) - 1);
#endif
}

// step goes from a function to its caller, by the table of the object that it is in.
static int step(frame *f, region *tables, const unsigned char *table, region *stack) {
	size_t pc = f->pc - !f->interrupted, cfa;
	description d;
	rules initial = {0}, now;
	if (!find(tables, table, pc, &d) || !follow(d.common, &d, ~(size_t)0, &initial, &initial))
		return 0;
	now = initial;
	if (!follow(d.own, &d, pc, &now, &initial))
		return 0;
	stack->low = f->r[SP];
	if (now.cfa_expression != NULL) {
		if (!evaluate(now.cfa_expression, f, stack, NULL, &cfa))
			return 0;
	} else if (now.cfa_register < REGISTERS && f->known >> now.cfa_register & 1) {
		cfa = f->r[now.cfa_register] + (size_t)now.cfa_offset;
	} else {
		return 0;
	}
	// Only what was interrupted may have no frame of its own: else this might not end.
	if (cfa < stack->low + !f->interrupted || cfa > stack->high || cfa % 8 != 0)
		return 0;
	frame next = *f;
	for (size_t i = 0; i < REGISTERS; i++) {
		long n = now.of[i].n;
		int ok = 1;
		switch (now.of[i].where) {
		case SAME: ok = i != RA || (f->interrupted && RA != 16); break; // arm64's link register
		case AT_OFFSET: ok = load(stack, cfa + (size_t)n, &next.r[i]); break;
		case IS_OFFSET: next.r[i] = cfa + (size_t)n; break;
		case AT_EXPRESSION: ok = evaluate((const void *)n, f, stack, &cfa, &next.r[i]) && load(stack, next.r[i], &next.r[i]); break;
		case IS_EXPRESSION: ok = evaluate((const void *)n, f, stack, &cfa, &next.r[i]); break;
		case IN_REGISTER:
			ok = n >= 0 && n < REGISTERS && f->known >> n & 1;
			if (ok)
				next.r[i] = f->r[n];
			break;
		case NOWHERE: ok = 0; break;
		}
		if (now.of[i].where != SAME || i == RA)
			next.known = ok ? next.known | 1u << i : next.known & ~(1u << i);
	}
	if (now.of[SP].where == SAME)
		next.r[SP] = cfa;
	if (!(next.known >> RA & 1) || next.r[SP] < cfa || next.r[SP] > stack->high)
		return 0;
	next.known |= 1u << SP;
	next.pc = address(next.r[RA]);
	next.interrupted = 0;
	*f = next;
	return 1;
}
#endif
