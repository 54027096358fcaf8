package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clock is one that only calls and readings of it move: what the guard sees is exact.
const clock = `
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
static unsigned long long seed = 1;
static double chance(void) {
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / (double)(1ull << 53);
}

static long long now, reading = 25;
// Where every is not 0, something comes in between every so many ns, at random,
// and takes shortest ns, or up to 64 times as much where longest says so: half of
// it twice as much, a quarter four times.
static long long every, shortest, longest = 64;
static void pass(long long ns) {
	now += ns;
	if (every == 0 || chance() * (double)every > (double)ns) return;
	now += shortest;
	for (long long more = shortest; more < longest * shortest && chance() < 0.5; more *= 2) now += more;
}
// After so many reads the kernel takes the processor away.
static int reads_left;
static void read_once(void) {
	pass(reading);
	if (reads_left > 0 && --reads_left == 0) now += 20000000;
}
static unsigned long long fake_counter(void) {
	unsigned long long ticks = (unsigned long long)now * 3;
	read_once();
	return ticks;
}
static int fake_clock(clockid_t id, struct timespec *t) {
	if (id != CLOCK_MONOTONIC) exit(9);
	t->tv_sec = now / 1000000000, t->tv_nsec = now % 1000000000;
	read_once();
	return 0;
}
#define __builtin_ia32_rdtsc fake_counter
#define clock_gettime fake_clock
`

// host plays the assembly's part: it counts, and times a call when it is told to.
const host = `
static int wrapper(void *frame);
static guard f = {.state = QUIET, .name = "f", .package = "p", .wrapper = wrapper};

static int timed; // calls so far

static void call(long long ns) {
	slot *t = (slot *)((char *)&_wherry_guard_slots + f.slot);
	t->left = (short)(t->left - f.state);
	int ordinary = t->left >= 0;
	sample s;
	if (!ordinary && f.state == DEMOTED) {
		t->left = 0;
		return;
	}
	if (!ordinary) {
		timed++;
		_wherry_guard_begin(&f, &s);
	}
	pass(ns);
	if (ordinary)
		return;
	_wherry_guard_end(&f, &s);
	if (t->left < 0 || t->left > 3 * PERIOD / 2) { fprintf(stderr, "%d calls to the next timed one\n", t->left); exit(1); }
}

static void brief(void) { call(50); }
static void lengthy(void) { call(30000); }

static void fresh(void) {
	memset(&_wherry_guard_slots, 0, sizeof _wherry_guard_slots);
	_wherry_guard_slots.random = (unsigned)(chance() * 4e9) | 1;
	_wherry_guard.steady = 0; // no other clock than ours
	f.state = QUIET, f.points = 0, timed = 0, every = 0;
}

static void expect(const char *what, long got, long least, long most) {
	if (got < least || got > most) {
		fprintf(stderr, "%s: got %ld, want %ld to %ld\n", what, got, least, most);
		exit(1);
	}
}

// rare gives the share of demotions that took more than 1000 long calls, in
// parts of a thousand, when one call in n is long.
static int rare(int n, long long ns, long long interruptions) {
	int over = 0;
	for (int run = 0; run < 2000; run++) {
		fresh();
		every = interruptions, shortest = 15000;
		for (int i = 0; i < 1000; i++) call(ns);
		int longs = 0;
		while (f.state != DEMOTED && longs <= 1000)
			if (chance() * n < 1) lengthy(), longs++;
			else call(ns);
		over += longs > 1000;
	}
	return over / 2;
}

// bursts gives how many long calls a demotion took, where they come ten at a time
// and one in 300 is long; at most 20,000.
static int bursts(void) {
	int longs = 0;
	fresh();
	for (int i = (int)(chance() * 3000); f.state != DEMOTED && longs < 20000; i = (i + 1) % 3000)
		if (i < 2990) brief(); else lengthy(), longs++;
	return longs;
}

// disturbed gives how often a short function was demoted where every so many ns
// something comes in between.
static long disturbed(long long ns, long long interruptions, long long length) {
	long demoted = 0;
	fresh();
	every = interruptions, shortest = length;
	for (int i = 0; i < 1000000; i++) {
		if (f.state == DEMOTED)
			demoted++, f.state = QUIET, f.points = 0;
		call(ns);
	}
	return demoted;
}

// by_cgo plays the Go function that calls by cgo, which on trial comes first.
static long long cgo_takes;
static int by_cgo_calls;
static int wrapper(void *frame) {
	by_cgo_calls++;
	pass(cgo_takes);
	return *(int *)frame;
}
static void try_call(long long ns) {
	slot *t = (slot *)((char *)&_wherry_guard_slots + f.slot);
	t->left = (short)(t->left - f.state);
	if (t->left >= 0 || f.state < DEMOTED) { fprintf(stderr, "state %#x, %d left: not by cgo\n", f.state, t->left); exit(1); }
	t->left = 0;
	cgo_takes = ns;
	int frame = 77;
	if (_wherry_guard_cgo(&frame, &f) != 77) { fprintf(stderr, "the result changed\n"); exit(1); }
}

// on_trial is how many calls the trial takes, of which every nth is long; 0: none.
static int on_trial(int nth) {
	fresh();
	f.state = TRIAL, f.watched = f.points = 0, by_cgo_calls = 0;
	while (f.state == TRIAL && by_cgo_calls < 1000)
		try_call(nth != 0 && (by_cgo_calls + 1) % nth == 0 ? 30000 : 50);
	return by_cgo_calls;
}

int main(void) {
	// On trial no call is direct. Short ones end it, long ones for good.
	_wherry_guard.trials = TRIALS;
	expect("a short function's trial", on_trial(0), TRIALS, TRIALS);
	expect("its state", f.state, QUIET, QUIET);
	expect("a long function's trial", on_trial(1), REFUSED, REFUSED);
	expect("its state", f.state, DEMOTED, DEMOTED);
	by_cgo_calls = 0;
	try_call(30000);
	expect("by cgo when demoted", by_cgo_calls, 1, 1);
	expect("one of two long", on_trial(2), 2 * TRIALS - 1, 2 * TRIALS - 1);
	expect("its state", f.state, QUIET, QUIET);
	_wherry_guard.trials = 9;
	expect("a trial of nine", on_trial(0), 9, 9);
	// A long trial of a short function survives what interrupts it.
	_wherry_guard.trials = 1000;
	for (int run = 0; run < 1000; run++) {
		fresh();
		every = 300000, shortest = 15000, f.state = TRIAL, f.watched = 0;
		while (f.state == TRIAL) try_call(8000);
		expect("the state after a disturbed trial", f.state, QUIET, QUIET);
		expect("points after a disturbed trial", f.points, 0, 0);
	}
	_wherry_guard.trials = TRIALS;

	fresh();
	for (int i = 0; i < 128; i++) brief();
	expect("timed of the first 128 calls", timed, 6, 20);
	timed = 0;
	for (int i = 0; i < PERIOD * 1000; i++) brief();
	expect("timed of 1000 periods", timed, 900, 1100);

	// Long from the first call on, and long after 10,000 others.
	const int least = 1 + PROVEN / 3, most = 2 + PROVEN;
	for (long long ns = 11000; ns < 1e9; ns *= 2) {
		long calls = 0;
		for (fresh(); f.state != DEMOTED && calls < 2000; calls++) call(ns);
		expect("long calls from the start", calls, least, ns > 40000 ? least + 1 : most);
	}
	long calls;
	for (int run = 0; run < 1000; run++) {
		fresh();
		for (int i = 0; i < 10000; i++) brief();
		for (calls = 0; f.state != DEMOTED && calls < 2000; calls++) lengthy();
		expect("long calls after short ones", calls, least, 3 * PERIOD / 2 + most);
	}
	// Some long.
	expect("late for one in 10", rare(10, 50, 0), 0, 4);
	expect("late for one in 100", rare(100, 50, 0), 0, 4);
	expect("late for one in 300", rare(300, 50, 0), 0, 4);
	// The same where something comes in between each 3 ms.
	expect("late for one in 10, disturbed", rare(10, 1000, 3000000), 0, 4);
	expect("late for one in 100, disturbed", rare(100, 1000, 3000000), 0, 4);
	expect("late for one in 300, disturbed", rare(300, 1000, 3000000), 0, 4);
	// In bursts, further apart than a suspicion lasts.
	for (int run = 0; run < 100; run++)
		expect("long calls in bursts", bursts(), least, 4000);
	// Very few long.
	fresh();
	for (calls = 0; calls < 200000000; calls++)
		if (chance() * 10000 < 1) call(60000); else brief();
	expect("state where one in 10,000 is long", f.state, QUIET, SUSPECT);
	// A program that has the sampling's own period cannot hide.
	fresh();
	for (calls = 0; f.state != DEMOTED && calls < 2000 * PERIOD; calls++)
		if (calls % PERIOD == PERIOD - 1) lengthy(); else brief();
	expect("long calls of one each period", calls / PERIOD, least, 1000);

	// Short calls stay, though something comes in between, often and for long.
	for (long long ns = 50; ns < 10000; ns *= 2)
		for (long long interruptions = 300000; interruptions <= 3000000; interruptions *= 10)
			for (long long length = 5000; length <= 80000; length *= 4) {
				expect("demotions of a short function", disturbed(ns, interruptions, length), 0, 0);
				expect("of a million calls timed", timed, 0, 50000);
			}

	// Also where each takes the same time.
	longest = 1;
	for (long long ns = 800; ns < 9000; ns += 2600)
		for (long long length = 1100; length < 12000; length += 300)
			expect("demotions where interruptions are alike", disturbed(ns, 300000, length), 0, 0);
	longest = 64;

	// A single long call makes a suspicion that ends and takes a point back.
	fresh();
	f.points = PROVEN - 1;
	lengthy();
	expect("state", f.state, SUSPECT, SUSPECT);
	timed = 0;
	for (int i = 0; i < WATCHED; i++) brief();
	expect("timed in the suspicion", timed, WATCHED, WATCHED);
	expect("state", f.state, QUIET, QUIET);
	expect("points", f.points, PROVEN - 2, PROVEN - 2);
	// A slow clock tells the same.
	for (reading = 1000; reading < 10000; reading *= 6) {
		_wherry_guard.started = 0;
		start();
		expect("late for one in 300 by a slow clock", rare(300, 50, 0), 0, 4);
		expect("demotions by a slow clock", disturbed(1000, 1000000, 20000), 0, 0);
	}
	reading = 25, _wherry_guard.started = 0;
	start();
#if defined(__x86_64__)
	// The budget in ticks is right wherever the kernel takes the processor away.
	for (int reads = 0; reads < 500; reads++) {
		fresh();
		_wherry_guard.started = 0, _wherry_guard.limit = 0;
		reads_left = reads;
		start();
		_wherry_guard.steady = 1;
		for (int i = 0; i < 40000; i++) brief();
		expect("the budget in ticks", (long)_wherry_guard.limit, 29500, 30500);
	}
	_wherry_guard.limit = 0;
#else
	(void)fake_counter;
#endif
	// With a budget of none nothing is suspect.
	fresh();
	_wherry_guard.budget = -1;
	for (calls = 0; calls < 1000; calls++) lengthy();
	expect("state without a budget", f.state, QUIET, QUIET);
	return 0;
}
`

func TestGuard(t *testing.T) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "guard.c"), filepath.Join(dir, "guard")
	if err := os.WriteFile(file, []byte(clock+Source()+host), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSlots(t *testing.T) {
	seen := map[int64]bool{}
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p") {
		slot := Slot(name)
		if slot < 0 || slot >= Slots*4 || slot%4 != 0 {
			t.Errorf("%s: got slot %d", name, slot)
		}
		seen[slot] = true
	}
	if len(seen) < 10 {
		t.Errorf("16 names share %d slots", len(seen))
	}
}
