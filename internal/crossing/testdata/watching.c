// What turns.c begins.

// Calls that are timed.
static void takes(call *c, int calls, long nanoseconds) {
	while (calls-- > 0) {
		expect("timed", c->timed > 0 && c->target == _wherry_turn_first, 1);
		take_time(c, nanoseconds);
	}
}

// A call of a function of which others are short.
static void rare(call *c, long nanoseconds) {
	judge(c, nanoseconds);
	if (c->timed > 0)
		takes(c, TRIAL, 0);
}

// A function is entered through cgo when its calls are long after one that was interrupted, and is
// timed again after 4096 calls, then after twice as many.
static void timing(void) {
	call *c = &calls[1];
	judge(c, LONG - 1);
	expect("short", c->target == c->twin, 1);
	judge(c, LONG);
	takes(c, TRIAL, 2 * LONG - 1);
	expect("timed, and short", c->target == c->twin, 1);
	judge(c, LONG);
	takes(c, TRIAL - 1, LONG), takes(c, 1, 1000 * VERY_LONG);
	expect("another thread ran in one", c->target == c->twin, 1);
	c->suspicion = 0;
	judge(c, LONG);
	for (unsigned patience = PATIENCE, round = 0; round < 4; round++, patience *= 2) {
		char *g = fly(1);
		_wherry_block(NULL, c, 1);
		expect("turned to be timed", _wherry_thread.computes_from != 0, 1);
		land(g);
		takes(c, TRIAL - 1, 4 * LONG);
		expect("to cgo", c->target == _wherry_turn_first && c->timed == 0, 1);
		for (unsigned i = 1; i < patience; i++) count_waiting(c);
		expect("not timed", c->timed, 0);
		g = fly(1);
		expect("turned", turn_now(AT_ONCE) && _wherry_thread.computes_from == 0, 1);
		land(g);
		count_waiting(c);
	}
	takes(c, TRIAL, 0);
	expect("has become quick", c->target == c->twin, 1);
	c->patience = 0, c->suspicion = 0, c->target = _wherry_turn_first;
	count_waiting(c);
	expect("nobody times it", c->target == c->twin, 1);
	c->suspicion = CONVINCED - 1;
	judge(c, VERY_LONG);
	expect("one very long call", c->target == _wherry_turn_first && c->timed <= 0, 1);
	c->patience = 0, c->suspicion = 0, c->target = c->twin;
	judge(c, LONG);
	for (int i = 1; i < TIMING_ENDS; i++) count_waiting(c);
	expect("still timed", c->target == _wherry_turn_first && c->timed == TRIAL, 1);
	count_waiting(c);
	expect("no time is seen", c->target == c->twin && c->timed == 0, 1);
	c->suspicion = 0;
	judge(c, LONG);
	called_back(c);
	takes(c, TRIAL, 4 * LONG);
	expect("calls back", c->target == c->twin, 1);
	judge(c, LONG);
	expect("would call back", c->target == c->twin, 1);
	c->callbacks = c->suspicion = 0;
	judge(c, LONG);
	called_back(c);
	count_waiting(c);
	expect("called back meanwhile", c->target == c->twin && c->timed == 0, 1);
	judge(c, LONG);
	expect("would call back", c->target == c->twin, 1);
	c->callbacks = c->suspicion = 0;
}

// One whose interrupted calls are long by eight more than they are short, though most are not
// interrupted, is tried again after 4096 calls, then after twice as many.
static void judging(void) {
	timing();
	call *c = &calls[1];
	for (int i = 0; i < 1000; i++) rare(c, i % 2 ? VERY_LONG - 1 : LONG - 1);
	expect("long and short", c->target == c->twin, 1);
	for (int i = 0; i < 100; i++) rare(c, 0);
	for (int i = 0; i < CONVINCED; i++) {
		expect("not yet", c->target == c->twin, 1);
		rare(c, LONG);
	}
	expect("to cgo", c->target == _wherry_turn_first, 1);
	for (unsigned patience = PATIENCE, round = 0; round < 4; round++, patience *= 2) {
		for (unsigned i = 1; i < patience; i++) count_waiting(c);
		expect("still on cgo", c->target == _wherry_turn_first, 1);
		count_waiting(c);
		takes(c, TRIAL, 0);
		expect("tried again", c->target == c->twin, 1);
		rare(c, LONG);
		expect("back to cgo", c->target == _wherry_turn_first, 1);
	}
	c->patience = 1u << 30, c->target = c->twin;
	rare(c, LONG);
	expect("the longest patience", c->patience, 1u << 30);
	c->target = c->twin, c->suspicion = CONVINCED - 1;
	for (int i = 0; i < 100; i++) rare(c, 0);
	expect("the patience with one that has become quick", c->patience, 0);
	rare(c, VERY_LONG);
	expect("one very long call", c->target == c->twin, 1);
	rare(c, VERY_LONG);
	expect("two very long calls", c->target == _wherry_turn_first, 1);
	c->patience = c->waited = 0, c->suspicion = 0, c->target = c->twin;
	for (int i = 1; i <= CONVINCED; i++) {
		rare(c, UNSURE);
		expect("so long that another thread may have run", c->target == c->twin, i < CONVINCED);
	}
	c->patience = c->waited = 0, c->suspicion = 0, c->target = c->twin;
	c->flags = BY_USER;
	for (int i = 0; i < 100; i++) judge(c, LONG), judge(&calls[2], LONG);
	expect("fast by a rule", c->target == c->twin, 1);
	expect("proved to be short", calls[2].target == calls[2].twin, 1);
	c->flags = 0, c->suspicion = 0;
}

// A call that starts fast and calls back.
static void turned_once(void) {
	char *g = fly(1);
	turn_for_callback();
	expect("callbacks of a turned call", is_through_cgo(_wherry_getg()), 1);
	land(g);
}

// A call that waits.
static void waited_once(void) {
	char *g = fly(1);
	expect("turned", turn_now(BY_BLOCKING), 1);
	expect("turned again", turn_now(BY_BLOCKING), 0);
	land(g);
}

// The calls of a watch, of which so many of four turn by themselves, and the one that ends it.
static void watch_is_over(int of_four, void (*turns)(void)) {
	call *c = &calls[1];
	for (; c->watched < WATCH; c->watched++) { // counted in assembly
		expect("watched", c->target == _wherry_watched, 1);
		if ((int)c->watched % 4 < of_four)
			turns();
	}
	count_waiting(c);
}

// A function whose calls turn by themselves, as a rule, comes to go through cgo, where it cannot
// run on a C stack, and is watched again after 4096 calls, then after twice as many. One of
// which less do stays fast.
static void watching_for(void (*turns)(void)) {
	call *c = &calls[1];
	for (int i = 0; i < CONVINCED; i++) {
		expect("not watched yet", c->target == c->twin, 1);
		turns();
	}
	for (unsigned patience = PATIENCE, round = 0; round < 4; round++, patience *= 2) {
		watch_is_over(3, turns);
		expect("through cgo", c->target == _wherry_through_cgo, 1);
		expect("for so many calls", c->patience, patience);
		c->waited = patience - 2; // counted in assembly
		count_waiting(c);
		expect("still through cgo", c->target == _wherry_through_cgo, 1);
		count_waiting(c);
	}
	for (int round = 0; round < 3; round++) {
		watch_is_over(2, turns);
		for (unsigned i = 0; i < PATIENCE; i++) {
			expect("fast again", c->target == c->twin, 1);
			turns();
		}
	}
	expect("watched once more", c->target == _wherry_watched, 1);
	c->tolerance = NEVER; // it has blocked SIGURG in one of them
	watch_is_over(4, turns);
	for (unsigned i = 0; i <= 2 * PATIENCE; i++) {
		expect("not watched any more", c->target == c->twin, 1);
		turns();
	}
	c->target = c->twin, c->turned = c->tolerance = c->patience = 0;
}

static void watching(void) {
	call *c = &calls[1];
	AT(char *, world_g0, G_M) = world_m;
	for (int i = 0; i < 100; i++) turned_once(), waited_once();
	expect("no way through cgo", c->target == c->twin, 1);
	c->by_cgo = code;
	c->flags = BY_USER;
	for (int i = 0; i < 100; i++) turned_once(), waited_once();
	expect("the user says fast", c->target == c->twin, 1);
	c->flags = NO_CALLBACK;
	watching_for(waited_once);
	c->flags = 0;
	watching_for(waited_once);
	watching_for(turned_once);
	stay_on_cgo("for once");
	for (int i = 0; i <= 2 * PATIENCE; i++) _wherry_block(NULL, c, 1);
	expect("nothing could turn it later", c->target == _wherry_turn_first, 1);
	_wherry_urgent.off = 0;
	calls[0].target = code, c->target = c->twin, c->flags = MAY_SWITCH, c->turned = c->callbacks = 0;
	for (int i = 0; i < CONVINCED; i++) turned_once();
	expect("onto a C stack", c->target == _wherry_on_stack, 1);
	c->flags = 0;
}

// A function that calls back again and again comes to run on a C stack, where it may,
// and none does that a rule does not send there once somebody asked for stack bounds.
static void learning(void) {
	for (int i = 1; i <= CONVINCED; i++) {
		for (int n = 0; n < 2; n++) called_back(&calls[n]);
		called_back(NULL);
		expect("onto a C stack", calls[0].target == _wherry_on_stack, i == CONVINCED);
	}
	expect("not allowed to", calls[1].target == calls[1].twin, 1);
	calls[1].flags = BY_USER, calls[1].target = _wherry_on_stack;
	pthread_attr_t attributes;
	expect("pthread_getattr_np outside of a call", pthread_getattr_np(pthread_self(), &attributes), 0);
	pthread_attr_destroy(&attributes);
	expect("still on a C stack", calls[0].target == _wherry_on_stack, 1);
	char *g = fly(1);
	expect("pthread_getattr_np", pthread_getattr_np(pthread_self(), &attributes), 0);
	pthread_attr_destroy(&attributes);
	land(g);
	expect("off the C stack", calls[0].target == calls[0].twin, 1);
	expect("on a C stack by a rule", calls[1].target == _wherry_on_stack, 1);
	called_back(&calls[0]);
	expect("never again", calls[0].target == calls[0].twin, 1);
}
