// What turns.c begins.

// A call that starts fast and calls back.
static void turned_once(void) {
	char *g = fly(1);
	turn_for_callback();
	expect("callbacks of a turned call", is_through_cgo(_wherry_getg()), 1);
	land(g);
}

// A call that is watched, and calls back so often.
static void watched_once(int callbacks) {
	char *g = fly(1);
	count_waiting(&calls[1]);
	expect("turned first", turn_now(AT_ONCE), 1);
	for (int i = 0; i < callbacks; i++) expect("a callback", is_through_cgo(_wherry_getg()), 1);
	land(g);
}

// A function that calls back in most calls comes to go through cgo, where it cannot run on
// a C stack, and is watched again after 4096 calls, then after twice as many. One that
// calls back in less stays fast.
static void watching(void) {
	call *c = &calls[1];
	AT(char *, world_g0, G_M) = world_m;
	for (int i = 0; i < 100; i++) turned_once();
	expect("no way through cgo", c->target == c->twin, 1);
	// Its calls are long, and call back while they are turned first.
	c->suspicion = CONVINCED;
	suspect(c);
	expect("turned first", c->target == _wherry_turn_first, 1);
	for (int i = 1; i < PATIENCE; i++) watched_once(1);
	expect("as long", c->target == _wherry_turn_first, 1);
	for (int i = 0; i < 3 * CONVINCED; i++) judge(c, 1);
	expect("still to be tried", c->patience, PATIENCE);
	watched_once(1);
	expect("not through cgo", c->target == c->twin, 1);
	c->suspicion = 0, c->patience = 0;
	c->by_cgo = code;
	for (int i = 0; i < CONVINCED; i++) {
		expect("not watched yet", c->target == c->twin, 1);
		turned_once();
	}
	for (unsigned patience = PATIENCE, round = 0; round < 4; round++, patience *= 2) {
		for (int i = 0; i < WATCH; i++) {
			expect("watched", c->target == _wherry_turn_first, 1);
			watched_once(i % 4 == 0 ? 0 : i);
		}
		watched_once(1);
		expect("through cgo", c->target == _wherry_through_cgo, 1);
		expect("for so many calls", c->patience, patience);
		c->waited = patience - 2; // counted in assembly
		count_waiting(c);
		expect("still through cgo", c->target == _wherry_through_cgo, 1);
		count_waiting(c);
	}
	expect("watched again", c->target == _wherry_turn_first, 1);
	for (unsigned calls = PATIENCE, round = 0; round < 3; round++) {
		for (int i = 0; i <= WATCH; i++) watched_once(i % 4 < 2 ? 0 : 10);
		for (unsigned i = 0; i < calls; i++) {
			expect("fast again", c->target == c->twin, 1);
			turned_once();
		}
		expect("watched once more", c->target == _wherry_turn_first, 1);
	}
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
