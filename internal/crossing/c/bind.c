//go:build ignore

// Calls of package direct, which do not stand in the section wherry_calls.
SHARED call *_wherry_bound;

// _wherry_bind returns the data of calls of fn that package direct makes, or NULL. It
// stays for good: a call may still run when Go has forgotten its func. The caller has a lock.
SHARED call *_wherry_bind(const void *fn, const char *name, unsigned flags) {
	call *c = aligned_alloc(_Alignof(call), sizeof *c);
	if (c == NULL)
		return NULL;
	*c = (call){.twin = fn, .name = name,
		.package = "github.com/wherrygo/wherry/direct\0", .flags = flags, .next = _wherry_bound};
	c->target = _wherry_urgent.off ? _wherry_turn_first : fast_target(c);
	__atomic_store_n(&_wherry_bound, c, __ATOMIC_RELEASE);
	return c;
}
