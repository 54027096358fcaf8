package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// clock is one that only calls move: what the guard sees is exact.
const clock = `
#define _GNU_SOURCE
#include <errno.h>
#include <sys/resource.h>
#include <time.h>
static long long wall_now, cpu_now;
static long switches_now;
// After so many reads the kernel takes the processor away.
static int reads_left;
static void maybe_wait(void) { if (reads_left > 0 && --reads_left == 0) wall_now += 20000000; }
static unsigned long long fake_counter(void) {
	unsigned long long ticks = (unsigned long long)wall_now * 3;
	maybe_wait();
	return ticks;
}
static int fake_clock(clockid_t id, struct timespec *t) {
	long long ns = id == CLOCK_MONOTONIC ? wall_now : cpu_now;
	maybe_wait();
	t->tv_sec = ns / 1000000000, t->tv_nsec = ns % 1000000000;
	if (id != CLOCK_MONOTONIC) errno = 1; // a system call may
	return 0;
}
static int fake_usage(int who, struct rusage *usage) { (void)who; errno = 1; usage->ru_nivcsw = switches_now; return 0; }
#define __builtin_ia32_rdtsc fake_counter
#define clock_gettime fake_clock
#define getrusage fake_usage
`

// host plays the assembly's part: it counts, and times a call when it is told to.
const host = `
static int wrapper(void *frame);
static guard f = {.state = QUIET, .name = "f", .package = "p", .wrapper = wrapper};

static unsigned long long seed = 1;
static double chance(void) {
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(seed >> 11) / (double)(1ull << 53);
}

static int timed; // calls so far

static void call(long long wall, long long cpu, int switches) {
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
		errno = 42;
		_wherry_guard_begin(&f, &s);
	}
	wall_now += wall, cpu_now += cpu, switches_now += switches;
	if (ordinary)
		return;
	_wherry_guard_end(&f, &s);
	if (errno != 42) { fprintf(stderr, "errno changed\n"); exit(1); }
	if (t->left < 0 || t->left > 3 * PERIOD / 2) { fprintf(stderr, "%d calls to the next timed one\n", t->left); exit(1); }
}

static void brief(void) { call(50, 50, 0); }
static void lengthy(void) { call(30000, 30000, 0); }

static void fresh(void) {
	memset(&_wherry_guard_slots, 0, sizeof _wherry_guard_slots);
	_wherry_guard_slots.random = (unsigned)(chance() * 4e9) | 1;
	_wherry_guard.steady = 0; // no other clock than ours
	f.state = QUIET, f.confirmed = 0, timed = 0;
}

static void expect(const char *what, long got, long least, long most) {
	if (got < least || got > most) {
		fprintf(stderr, "%s: got %ld, want %ld to %ld\n", what, got, least, most);
		exit(1);
	}
}

// rare gives the share of demotions that took more than 1000 long calls, in
// parts of ten thousand, when one call in n is long.
static int rare(int n) {
	int over = 0;
	for (int run = 0; run < 10000; run++) {
		fresh();
		for (int i = 0; i < 1000; i++) brief();
		int longs = 0;
		while (f.state != DEMOTED && longs <= 1000)
			if (chance() * n < 1) lengthy(), longs++;
			else brief();
		over += longs > 1000;
	}
	return over;
}

// by_cgo plays the Go function that calls by cgo, which on trial comes first.
static long long cgo_wall, cgo_cpu;
static int cgo_switches, by_cgo_calls;
static int wrapper(void *frame) {
	by_cgo_calls++;
	wall_now += cgo_wall, cpu_now += cgo_cpu, switches_now += cgo_switches;
	return *(int *)frame;
}
static void try_call(long long wall, long long cpu, int switches) {
	slot *t = (slot *)((char *)&_wherry_guard_slots + f.slot);
	t->left = (short)(t->left - f.state);
	if (t->left >= 0 || f.state < DEMOTED) { fprintf(stderr, "state %#x, %d left: not by cgo\n", f.state, t->left); exit(1); }
	t->left = 0;
	cgo_wall = wall, cgo_cpu = cpu, cgo_switches = switches;
	int frame = 77;
	errno = 42;
	if (_wherry_guard_cgo(&frame, &f) != 77 || errno != 42) { fprintf(stderr, "the result or errno changed\n"); exit(1); }
}

// on_trial is how many calls the trial takes, of which every nth is long; 0: none.
static int on_trial(int nth, long long wall, long long cpu, int switches) {
	fresh();
	f.state = TRIAL, f.watched = 0, by_cgo_calls = 0;
	while (f.state == TRIAL && by_cgo_calls < 1000)
		if (nth != 0 && (by_cgo_calls + 1) % nth == 0) try_call(wall, cpu, switches);
		else try_call(50, 50, 0);
	return by_cgo_calls;
}

int main(void) {
	// On trial no call is direct. Short ones end it, long ones for good; those
	// that the kernel made long do not count.
	_wherry_guard.trials = TRIALS;
	expect("a short function's trial", on_trial(0, 0, 0, 0), TRIALS, TRIALS);
	expect("its state", f.state, QUIET, QUIET);
	expect("a long function's trial", on_trial(1, 30000, 30000, 0), CONFIRMED, CONFIRMED);
	expect("its state", f.state, DEMOTED, DEMOTED);
	by_cgo_calls = 0;
	try_call(30000, 30000, 0);
	expect("by cgo when demoted", by_cgo_calls, 1, 1);
	expect("long for the kernel", on_trial(2, 4000000, 20000, 1), 2 * TRIALS - 1, 2 * TRIALS - 1);
	expect("its state", f.state, QUIET, QUIET);
	fresh();
	f.state = TRIAL, f.watched = 0;
	for (int i = 0; i < 20; i++) try_call(4000000, 20000, 1);
	expect("the state after many of these", f.state, TRIAL, TRIAL);
	expect("one of two long", on_trial(2, 30000, 30000, 0), 2 * TRIALS - 1, 2 * TRIALS - 1);
	expect("its state", f.state, QUIET, QUIET);
	expect("its long calls", f.confirmed, 0, 0);
	expect("very long", on_trial(1, 90000000, 20000000, 9), CONFIRMED, CONFIRMED);
	expect("its state", f.state, DEMOTED, DEMOTED);
	_wherry_guard.trials = 9;
	expect("a trial of nine", on_trial(0, 0, 0, 0), 9, 9);
	_wherry_guard.trials = TRIALS;

	fresh();
	for (int i = 0; i < 128; i++) brief();
	expect("timed of the first 128 calls", timed, 6, 20);
	timed = 0;
	for (int i = 0; i < PERIOD * 1000; i++) brief();
	expect("timed of 1000 periods", timed, 900, 1100);

	// Long from the first call on, and long after 10,000 others.
	long calls = 0;
	for (fresh(); f.state != DEMOTED && calls < 2000; calls++) lengthy();
	expect("long calls from the start", calls, CONFIRMED, CONFIRMED + 2);
	for (int run = 0; run < 1000; run++) {
		fresh();
		for (int i = 0; i < 10000; i++) brief();
		for (calls = 0; f.state != DEMOTED && calls < 2000; calls++) lengthy();
		expect("long calls after short ones", calls, CONFIRMED, 3 * PERIOD / 2 + CONFIRMED + 2);
	}
	// Some long.
	expect("late for one in 10", rare(10), 0, 20);
	expect("late for one in 100", rare(100), 0, 20);
	expect("late for one in 300", rare(300), 0, 40);
	// A program that has the sampling's own period cannot hide.
	fresh();
	for (calls = 0; f.state != DEMOTED && calls < 2000 * PERIOD; calls++)
		if (calls % PERIOD == PERIOD - 1) lengthy(); else brief();
	expect("long calls of one each period", calls / PERIOD, CONFIRMED, 1000);
	// It waits, and takes no processor time.
	fresh();
	for (calls = 0; f.state != DEMOTED && calls < 2000; calls++) call(500000, 2000, 0);
	expect("waiting calls", calls, CONFIRMED, CONFIRMED + 2);
	// Very long, so that the kernel always comes in between.
	fresh();
	for (calls = 0; f.state != DEMOTED && calls < 2000; calls++) call(90000000, 20000000, 9);
	expect("very long calls", calls, CONFIRMED, CONFIRMED + 2);

	// Short calls stay, though the kernel takes one in 500 off the processor,
	// which costs it 20 us, and one in 20,000 is long for no known reason.
	fresh();
	for (int i = 0; i < 20000000; i++)
		if (chance() * 500 < 1) call(4000000, 20000, 1);
		else if (chance() * 20000 < 1) call(34000, 34000, 0);
		else brief();
	expect("state after disturbances", f.state, QUIET, SUSPECT);

	// A single long call makes a suspicion that ends and is forgotten.
	fresh();
	f.confirmed = CONFIRMED - 1;
	lengthy();
	expect("state", f.state, SUSPECT, SUSPECT);
	timed = 0;
	for (int i = 0; i < WATCHED; i++) brief();
	expect("timed in the suspicion", timed, WATCHED, WATCHED);
	expect("state", f.state, QUIET, QUIET);
	expect("confirmed", f.confirmed, CONFIRMED - 2, CONFIRMED - 2);
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
	if out, err := exec.Command(compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, file).CombinedOutput(); err != nil {
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
