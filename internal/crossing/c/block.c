//go:build ignore

// Functions of the C library that may block. The program defines each of them
// itself (names.c): what stands there turns the call in flight and goes on to the C
// library's own. A thread that C does not run on in a call in flight goes there at once.

#if INTERPOSES
// What the functions of names.c ask of the call that C runs in. Before the program starts there is none,
// and the executable may not be relocated yet: errno is a function.
SHARED void _wherry_waits(void) {
	if (!_wherry_urgent.started)
		return;
	int saved = errno;
	turn_now(BY_BLOCKING);
	errno = saved;
}

SHARED void _wherry_bounds_asked(void) {
	if (!_wherry_bounds && in_c())
		leave_stacks(BY_USER);
}
#endif

// _wherry_block turns the call in flight. first: its C function has not begun, and
// c is that function's.
SHARED void _wherry_block(real_function *s, call *c, int first) {
	if (!_wherry_urgent.started && !first) {
		_wherry_real(s);
		return;
	}
	int saved = errno;
	if (first) {
		if (!_wherry_urgent.off)
			count_waiting(c);
		turn_now(AT_ONCE);
	} else {
		_wherry_real(s);
		turn_now(BY_BLOCKING);
	}
	errno = saved;
}
