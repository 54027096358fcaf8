package guard

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// host plays the assembly's part: it counts, and times a call when it is told
// to. The clock of its calls is the real one.
const host = `
static guard f = {.state = QUIET, .name = "f", .package = "p"};

static void spin(long long ns) {
	for (long long end = clock_ns(CLOCK_MONOTONIC) + ns; clock_ns(CLOCK_MONOTONIC) < end;) ;
}

static int timed; // calls so far

static void call(long long ns) {
	slot *t = (slot *)((char *)&_wherry_guard_slots + f.slot);
	t->left = (short)(t->left - f.state);
	if (t->left >= 0) {
		if (ns) spin(ns);
		return;
	}
	if (f.state == DEMOTED) {
		t->left = 0;
		return;
	}
	sample s;
	timed++;
	errno = 42;
	_wherry_guard_begin(&f, &s);
	if (ns) spin(ns);
	_wherry_guard_end(&f, &s);
	if (errno != 42) { fprintf(stderr, "errno changed\n"); exit(1); }
	if (t->left < 0 || t->left > 3 * PERIOD / 2) { fprintf(stderr, "%d calls to the next timed one\n", t->left); exit(1); }
}

static void expect(const char *what, long got, long least, long most) {
	if (got < least || got > most) {
		fprintf(stderr, "%s: got %ld, want %ld to %ld\n", what, got, least, most);
		exit(1);
	}
}

int main(void) {
	for (int i = 0; i < 128; i++) call(0);
	expect("timed of the first 128 calls", timed, 6, 20);
	timed = 0;
	for (int i = 0; i < PERIOD * 1000; i++) call(0);
	expect("timed of 1000 periods", timed, 900, 1100 + WATCHED);
	spin(2000000);
	for (int i = 0; i < PERIOD * 10; i++) call(0);
	if (_wherry_guard.steady && _wherry_guard.limit == 0) { fprintf(stderr, "no rate of the counter\n"); exit(1); }

	// Pattern with the sampling's own period: it cannot hide.
	long calls = 0;
	while (f.state != DEMOTED && calls < 1000 * PERIOD) call(++calls % PERIOD == 0 ? 30000 : 0);
	expect("long calls before the demotion", calls / PERIOD, CONFIRMED, 1000);

	// A single long call makes a suspicion that ends and is forgotten.
	memset(&_wherry_guard_slots, 0, sizeof _wherry_guard_slots);
	f.state = QUIET, f.confirmed = CONFIRMED - 1, timed = 0;
	call(30000);
	expect("state", f.state, SUSPECT, SUSPECT);
	for (int i = 0; i < WATCHED; i++) call(0);
	expect("timed in the suspicion", timed, WATCHED, WATCHED + 1);
	expect("state", f.state, QUIET, QUIET);
	expect("confirmed", f.confirmed, CONFIRMED - 2, CONFIRMED - 1);
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
	if err := os.WriteFile(file, []byte(Source()+host), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Where the processor is shared a call can be long by chance: not twice.
	for attempt := range 3 {
		out, err := exec.Command(program).CombinedOutput()
		if err == nil {
			return
		}
		t.Logf("attempt %d: %v\n%s", attempt+1, err, out)
	}
	t.Error("failed three times")
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
