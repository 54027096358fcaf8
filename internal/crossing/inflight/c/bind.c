// _wherry_bind returns the data of calls of fn that package direct makes, or NULL. It
// stays for good: a call may still run when Go has forgotten its func.
SHARED call *_wherry_bind(const void *fn, const char *name, unsigned flags, int on_stack) {
	call *c = aligned_alloc(_Alignof(call), sizeof *c);
	if (c != NULL)
		*c = (call){.target = on_stack ? _wherry_on_stack : fn, .twin = fn, .name = name,
			.package = "github.com/wherrygo/wherry/direct\0wherry gen", .flags = flags};
	return c;
}
