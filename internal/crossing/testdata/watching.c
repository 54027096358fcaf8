// What turns.c begins.

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
