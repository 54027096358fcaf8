//go:build ignore

// What zlib has compressed (RFC 1950 and 1951): linkers compress debug information. A program that
// dies has no memory for a library's tables, so all is on the stack, and the output's size is known
// before. Nothing is written but the output, byte for byte: two threads may do it at once.

#if TRACES
enum { MOST_LITERALS = 288, MOST_DISTANCES = 32, LONGEST_CODE = 15, FAST_BITS = 9 };

// A code's symbols are in the order of their codes, short ones first. fast has those that are not
// longer than FAST_BITS by the next bits of the input: the symbol, and its length from bit 12 on.
typedef struct huffman { unsigned short fast[1 << FAST_BITS], symbols[MOST_LITERALS], count[LONGEST_CODE + 1]; } huffman;

// A stream goes from an input, of which n bits are in word, to room for the output. bad is set when
// either was too short, or the input is none.
typedef struct stream {
	const unsigned char *at, *end;
	size_t word;
	unsigned n;
	int bad;
	unsigned char *first, *to, *room;
} stream;

// fill has 56 bits, or all that are left, in word. Above the n bits may stand some that come again.
static INLINE void fill(stream *b) {
	size_t next;
	if (b->end - b->at >= (ptrdiff_t)sizeof next) {
		memcpy(&next, b->at, sizeof next); // both processors are little-endian
		b->word |= next << b->n;
		b->at += (63 - b->n) / 8;
		b->n |= 56;
	}
	for (; b->n < 56 && b->at < b->end; b->n += 8)
		b->word |= (size_t)*b->at++ << b->n;
}

static INLINE unsigned take(stream *b, unsigned n) {
	if (n > b->n)
		return b->bad = 1, 0;
	unsigned v = (unsigned)(b->word & (((size_t)1 << n) - 1));
	b->word >>= n, b->n -= n;
	return v;
}

// decode_long returns the symbol of a code that is not in fast, as there, or 0.
static unsigned decode_long(size_t word, const huffman *h) {
	unsigned code = 0, first = 0, before = 0;
	for (unsigned size = 1; size <= LONGEST_CODE; size++) {
		code = code << 1 | (word >> (size - 1) & 1), first <<= 1;
		if (code - first < h->count[size])
			return h->symbols[before + code - first] | size << 12;
		first += h->count[size], before += h->count[size];
	}
	return 0;
}

static INLINE unsigned decode(stream *b, const huffman *h) {
	unsigned known = h->fast[b->word & ((1 << FAST_BITS) - 1)];
	if (known == 0 && (known = decode_long(b->word, h)) == 0)
		return b->bad = 1, 0;
	return take(b, known >> 12), known & 0xfff;
}

// build makes a code of its symbols' lengths, if there can be such a code.
static int build(huffman *h, const unsigned char *lengths, unsigned n) {
	unsigned to[LONGEST_CODE + 2] = {0}, code = 0, at = 0;
	memset(h, 0, sizeof *h);
	for (unsigned i = 0; i < n; i++)
		h->count[lengths[i]]++;
	h->count[0] = 0;
	for (unsigned size = 1; size <= LONGEST_CODE; size++)
		to[size + 1] = to[size] + h->count[size];
	for (unsigned i = 0; i < n; i++)
		if (lengths[i] != 0)
			h->symbols[to[lengths[i]]++] = (unsigned short)i;
	for (unsigned size = 1; size <= LONGEST_CODE; size++, code <<= 1) {
		for (unsigned i = 0; i < h->count[size]; i++, code++, at++) {
			if (code >> size != 0)
				return 0;
			unsigned turned = 0; // the input has a code's first bit lowest
			for (unsigned bit = 0; bit < size; bit++)
				turned |= (code >> bit & 1) << (size - 1 - bit);
			for (; turned < 1 << FAST_BITS && size <= FAST_BITS; turned += 1 << size)
				h->fast[turned] = (unsigned short)(h->symbols[at] | size << 12);
		}
	}
	return 1;
}

// read_codes reads the two codes of a block of kind 2, or knows those of kind 1.
static int read_codes(stream *b, unsigned kind, huffman *literals, huffman *distances) {
	static const unsigned char order[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
	unsigned char lengths[MOST_LITERALS + MOST_DISTANCES] = {0};
	if (kind == 1) {
		for (int i = 0; i < MOST_LITERALS + MOST_DISTANCES; i++)
			lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : i < MOST_LITERALS ? 8 : 5;
		return build(literals, lengths, MOST_LITERALS) && build(distances, lengths + MOST_LITERALS, MOST_DISTANCES);
	}
	fill(b);
	unsigned n = 257 + take(b, 5), all = n + 1 + take(b, 5), sizes = 4 + take(b, 4);
	for (unsigned i = 0; i < sizes; i++)
		fill(b), lengths[order[i]] = (unsigned char)take(b, 3);
	if (n > MOST_LITERALS || !build(literals, lengths, sizeof order))
		return 0;
	memset(lengths, 0, sizeof lengths);
	for (unsigned i = 0; i < all && !b->bad;) {
		fill(b);
		unsigned size = decode(b, literals), times = 1;
		switch (size) {
		case 16: times = 3 + take(b, 2), size = i > 0 ? lengths[i - 1] : 99; break;
		case 17: times = 3 + take(b, 3), size = 0; break;
		case 18: times = 11 + take(b, 7), size = 0; break;
		}
		if (size > LONGEST_CODE || times > all - i)
			return 0;
		for (; times > 0; times--)
			lengths[i++] = (unsigned char)size;
	}
	return !b->bad && build(literals, lengths, n) && build(distances, lengths + n, all - n);
}

// copy_block goes on to the end of a compressed block. Its stream is its own, so that what it writes
// cannot be a part of it to the compiler.
static void copy_block(stream *of, const huffman *literals, const huffman *distances) {
	static const unsigned short lengths[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
		131, 163, 195, 227, 258};
	stream s = *of, *b = &s;
	unsigned char *to = s.to;
	while (!b->bad) {
		if (b->n < 48) // the most that a copy takes
			fill(b);
		unsigned symbol = decode(b, literals);
		if (symbol < 256) {
			if (to == b->room)
				break;
			*to++ = (unsigned char)symbol;
			continue;
		}
		if (symbol == 256) {
			s.to = to;
			*of = s;
			return;
		}
		symbol -= 257;
		if (symbol >= sizeof lengths / sizeof lengths[0])
			break;
		size_t n = lengths[symbol] + take(b, symbol < 8 || symbol == 28 ? 0 : symbol / 4 - 1);
		unsigned far = decode(b, distances);
		if (far >= 30)
			break;
		size_t back = far < 4 ? far + 1 : ((size_t)(2 + far % 2) << (far / 2 - 1)) + 1 + take(b, far / 2 - 1);
		if (back > (size_t)(to - b->first) || n > (size_t)(b->room - to))
			break;
		if (back >= n)
			to = (unsigned char *)memcpy(to, to - back, n) + n;
		else
			for (; n > 0; n--, to++)
				*to = to[-(ptrdiff_t)back];
	}
	of->bad = 1;
}

// copy_stored copies a block that is as it is.
static void copy_stored(stream *b) {
	take(b, b->n % 8);
	fill(b);
	size_t n = take(b, 16), complement = take(b, 16);
	b->at -= b->n / 8, b->n = 0, b->word = 0;
	if (b->bad || (n ^ complement) != 0xffff || n > (size_t)(b->end - b->at) || n > (size_t)(b->room - b->to)) {
		b->bad = 1;
		return;
	}
	b->to = (unsigned char *)memcpy(b->to, b->at, n) + n;
	b->at += n;
}

// inflate reports whether an input is that many bytes, and writes them.
static int inflate(const unsigned char *from, size_t packed, unsigned char *to, size_t size) {
	if (packed < 2 || (from[0] & 15) != 8 || from[1] & 32)
		return 0;
	stream b = {.at = from + 2, .end = from + packed, .first = to, .to = to, .room = to + size};
	huffman literals, distances;
	for (unsigned last = 0; !last && !b.bad;) {
		fill(&b);
		last = take(&b, 1);
		unsigned kind = take(&b, 2);
		if (kind == 0)
			copy_stored(&b);
		else if (kind < 3 && read_codes(&b, kind, &literals, &distances))
			copy_block(&b, &literals, &distances);
		else
			return 0;
	}
	return !b.bad && b.to == b.room;
}
#endif
