// compares_... compares its stack pointer with an address that the program remembers, as
// interpreters do to end a recursion. optimized_... does too, but not all compilers show it
// without optimization. ordinary_... does not, though it comes near.
void out(void *p);
int back(int n);

struct runtime { uintptr_t top, limit; size_t size, margin; } *it, one_runtime;
char *base;
long max_depth;
__thread uintptr_t thread_limit;

static inline uintptr_t stack_pointer(void) { return (uintptr_t)__builtin_frame_address(0); }
static inline __attribute__((always_inline)) int overflows(struct runtime *r, size_t size) {
	uintptr_t sp = stack_pointer() - size;
	return __builtin_expect(sp < r->limit, 0);
}
KEEP int compares_field(struct runtime *r) { return overflows(r, 0) ? -1 : back(1); }
KEEP int compares_less_argument(struct runtime *r, size_t n) { return overflows(r, n) ? -1 : back(1); }
KEEP int compares_size(struct runtime *r, size_t n) { return r->top - stack_pointer() + n > r->size ? -1 : back(1); }
KEEP int compares_global(int n) { return stack_pointer() < one_runtime.limit ? -1 : back(n); }
KEEP int compares_local(void) {
	char c;
	if (&c <= (char *)it->limit) return 1;
	out(&c);
	return back(1);
}
KEEP int compares_limit_and_size(void) {
	char c;
	if (&c < base + it->margin) return 1;
	out(&c);
	return back(1);
}
KEEP int compares_constant(void) {
	volatile int here;
	return it->top - (uintptr_t)&here > 256 * 1024 ? 1 : back(1);
}
KEEP int compares_thread_local(void) { return stack_pointer() < thread_limit; }
KEEP int compares_outcome(struct runtime *r) { return stack_pointer() < r->limit; }
KEEP int compares_second(struct runtime *r) { return r->limit && stack_pointer() < r->limit ? back(1) : back(2); }
KEEP long optimized_scan(long s) {
	long here;
	out(&here);
	for (long *p = &here; p < (long *)base; p++) s += *p;
	return s;
}
KEEP long optimized_aligned_scan(long s) {
	long here;
	out(&here);
	for (long *p = (long *)((uintptr_t)&here & ~7ul); p < (long *)((uintptr_t)base & ~7ul); p++) s ^= *p;
	return s;
}
KEEP int compares_aligned(struct runtime *r) { return stack_pointer() < (r->limit & ~4095ul) ? -1 : back(1); }
KEEP int optimized_depth(void) {
	char here;
	long depth = (long)(base - &here);
	out(&here);
	if (depth < 0) depth = -depth;
	return depth > max_depth && base != NULL;
}
KEEP int optimized_sign(struct runtime *r) {
	char here;
	return (intptr_t)&here - (intptr_t)r->limit < 0;
}

struct buffer { char *next, *end; long n; char small[64]; } *shared;
KEEP int ordinary_flags(struct runtime *r) { return stack_pointer() < (r->limit & 0xffff) ? -1 : back(1); }
KEEP int ordinary_equal(struct runtime *r) { return stack_pointer() == r->limit; }
KEEP long ordinary_array(struct runtime *r) {
	char b[100];
	long s = 0;
	out(b);
	for (char *p = b; p < b + r->size; p++) s += *p;
	return s;
}
KEEP void ordinary_overlap(char *p, size_t n) {
	char b[64];
	out(b);
	if (p > b) memmove(p, b, n);
}
KEEP int ordinary_buffer(struct runtime *r) {
	struct buffer s;
	s.next = s.small;
	s.end = s.small + 64;
	out(&s);
	while (s.next < s.end) *s.next++ = r->limit;
	out(&s);
	return 1;
}
// Compilers ask whether such buffers overlap before they use vectors.
KEEP void ordinary_copy(struct buffer *d) {
	int b[64];
	out(b);
	int *p = (int *)d->next;
	for (int i = 0; i < 64; i++) p[i] = b[i];
	out(b);
}
KEEP void ordinary_sum(struct buffer *d, int n) {
	int b[64];
	out(b);
	int *p = (int *)d->next;
	for (int i = 0; i < n; i++) b[i] += p[i] * 3;
	out(b);
}
KEEP char *ordinary_fill(struct buffer *d) {
	char b[64], *p = b + 64 - d->n;
	out(b);
	while (p < b + 64) *p++ = 'x';
	out(b);
	return d->next;
}
KEEP long ordinary_length(struct buffer *d) {
	char b[64];
	d->next = b;
	out(d);
	return d->next - b > 0 ? d->next - b : d->n;
}
KEEP int ordinary_range(char *p) { return p >= shared->next && p < shared->end ? back(1) : back(2); }
KEEP int ordinary_alloca(struct buffer *d) {
	char *p = alloca(d->n);
	out(p);
	return p[0];
}
struct node { struct node *left, *right; long key; } *root;
KEEP struct node *ordinary_tree(long key) {
	struct node look = {0, 0, key}, *n = root;
	out(&look);
	while (n) {
		if (look.key < n->key || look.key == n->key && &look < n) n = n->left;
		else if (look.key > n->key || &look > n) n = n->right;
		else return n;
	}
	return NULL;
}
// A number of bytes on the stack is no address there. gcc keeps an address in a register
// that a function of the same file leaves alone.
static __attribute__((noinline)) void store(unsigned char *to, const unsigned long *from) {
	for (int i = 0; i < 4; i++) {
		unsigned long v = __builtin_bswap64(from[3 - i]);
		memcpy(to + 8 * i, &v, 8);
	}
}
KEEP int ordinary_bytes(unsigned char *to, size_t *size, const unsigned long *from) {
	unsigned char a[33] = {0}, b[33] = {0}, *p = a, *q = b;
	size_t n = 33, m = 33;
	store(a + 1, from);
	store(b + 1, from + 4);
	while (n > 1 && p[0] == 0 && p[1] < 0x80) n--, p++;
	while (m > 1 && q[0] == 0 && q[1] < 0x80) m--, q++;
	if (*size < 6 + n + m) {
		*size = 6 + n + m;
		return 0;
	}
	memcpy(to + 4, p, n);
	memcpy(to + 4 + n, q, m);
	return 1;
}
