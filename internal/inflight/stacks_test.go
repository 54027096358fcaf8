package inflight

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// host plays the assembly's part: it moves along the chain of stacks as calls
// and returns do.
const host = `
void crosscall2(void (*fn)(void *), void *frame, int size, size_t context) { (void)fn; (void)frame; (void)size; (void)context; }
size_t _cgo_wait_runtime_init_done(void) { return 0; }
void _cgo_release_context(size_t context) { (void)context; }
void _wherry_abandon(void) {}

static int enter_sized(int order) {
	if (_wherry_thread.active->deeper == NULL || _wherry_thread.active->deeper->order < order) {
		int error = _wherry_stack_new(order);
		if (error != 0) return error;
	}
	record *r = _wherry_thread.active->deeper;
	_wherry_thread.active = r;
	memset(r->low, 1, 100);              // the whole stack can be written
	memset((char *)r - 100, 1, 100);
	static char g[16];
	r->g = g;
	r->c_sp = r;                         // a callback
	return 0;
}

static int enter(void) { return enter_sized(0); }

static void leave(void) {
	record *r = _wherry_thread.active;
	_wherry_thread.active = r->outer;
	r->c_sp = NULL;
	if (r->surplus) _wherry_stack_surplus(r);
}

static void expect(const char *what, long got, long want) {
	if (got != want) {
		fprintf(stderr, "%s: got %ld, want %ld\n", what, got, want);
		exit(1);
	}
}

static void *work(void *depth) {
	for (int round = 0; round < 50; round++) {
		for (long i = 0; i < (long)depth; i++) expect("enter", enter(), 0);
		for (long i = 0; i < (long)depth; i++) leave();
	}
	return NULL;
}

// Another thread's fault, in Go, comes when the new handler is there and what was
// there before has not been returned yet.
static volatile char *page;
static void goes_on(int sig, siginfo_t *info, void *context) {
	(void)sig, (void)context;
	mprotect(info->si_addr, 1, PROT_READ | PROT_WRITE);
}
int __real_sigaction(int sig, const struct sigaction *act, struct sigaction *old);
int __wrap_sigaction(int sig, const struct sigaction *act, struct sigaction *old) {
	struct sigaction was;
	int result = __real_sigaction(sig, act, &was);
	if (page != NULL && act != NULL && sig == SIGSEGV) *page = 1;
	if (old != NULL) *old = was;
	return result;
}

int main(int argc, char **argv) {
	long mapped, unused;
	if (argc > 1 && strcmp(argv[1], "fault") == 0) {
		struct sigaction go = {.sa_sigaction = goes_on, .sa_flags = SA_SIGINFO};
		sigaction(SIGSEGV, &go, NULL);
		page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		expect("enter", enter(), 0);
		expect("page", *page, 1);
		return 0;
	}
	if (argc > 1 && strcmp(argv[1], "overflow") == 0) {
		stack_t alt = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
		sigaltstack(&alt, NULL);
		enter();
		_wherry_thread.active->c_sp = NULL; // C runs
		*(volatile char *)(_wherry_thread.active->low - 1) = 1;
	}
	if (argc > 1 && strcmp(argv[1], "limits") == 0) {
		for (int i = 0; i < 10; i++) expect("enter", enter(), 0);
		expect("the eleventh", enter(), (long)atoi(argv[2]));
		for (int i = 0; i < 10; i++) leave();
		expect("after leaving", enter(), 0);
		return 0;
	}
	work((void *)100);
	_wherry_stack_count(&mapped, &unused);
	expect("unused", unused, mapped);
	expect("kept by a thread and the pool", mapped, KEPT_BY_THREAD + KEPT_IN_POOL);
	for (int round = 0; round < 20; round++) {
		pthread_t threads[8];
		for (long i = 0; i < 8; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
		for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
	}
	_wherry_stack_count(&mapped, &unused);
	expect("unused when the threads are gone", unused, mapped);
	expect("mapped when the threads are gone", mapped <= KEPT_BY_THREAD + KEPT_IN_POOL, 1);
	enter();
	_wherry_stack_count(&mapped, &unused);
	expect("in use", mapped - unused, 1);
	leave();
	for (int round = 0; round < 100; round++) { // a larger stack takes a smaller one's place
		for (int i = 0; i < 6; i++) {
			int order = 18 + (i + round) % 4;
			expect("enter", enter_sized(order), 0);
			expect("size", size_of(_wherry_thread.active) >= (size_t)1 << order, 1);
			expect("chain", _wherry_thread.owned >= i + 1, 1);
		}
		for (int i = 0; i < 6; i++) leave();
		expect("left", _wherry_thread.active == &_wherry_thread.base, 1);
	}
	expect("kept with large ones", _wherry_thread.owned, KEPT_BY_THREAD);
	_wherry_stack_count(&mapped, &unused);
	expect("unused with large ones", unused, mapped);
	expect("enter", enter_sized(30), 0);
	expect("the largest", size_of(_wherry_thread.active), 1 << 30);
	puts("ok");
	return 0;
}
`

// The pool works by itself: under two compilers without a warning, and under
// their sanitizers.
func TestPool(t *testing.T) {
	for _, cc := range []string{"gcc", "clang", "gcc -fsanitize=address,undefined", "gcc -fsanitize=thread"} {
		t.Run(cc, func(t *testing.T) {
			words := strings.Fields(cc)
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skipf("%s is not installed", words[0])
			}
			program := compile(t, words)
			run := func(env string, args ...string) (string, error) {
				cmd := exec.Command(program, args...)
				cmd.Env = append(os.Environ(), env)
				out, err := cmd.CombinedOutput()
				return string(out), err
			}
			if out, err := run(""); err != nil || out != "ok\n" {
				t.Errorf("%v\n%s", err, out)
			}
			if out, err := run("WHERRY_CSTACK_DEPTH=10", "limits", "-1"); err != nil {
				t.Errorf("depth: %v\n%s", err, out)
			}
			if out, err := run("WHERRY_CSTACK_LIMIT=10", "limits", "-2"); err != nil {
				t.Errorf("limit: %v\n%s", err, out)
			}
			if out, err := run("", "fault"); err != nil {
				t.Errorf("a fault while the handler is installed: %v\n%s", err, out)
			}
			if len(words) > 1 {
				return // sanitizers catch the fault themselves
			}
			out, err := run("WHERRY_CSTACK_SIZE=20000", "overflow")
			if want := "wherry: C stack overflow in the reentrant call of a C function: it has 20480 bytes; set WHERRY_CSTACK_SIZE to more, say reentrant=SIZE in the policy, or keep the function on cgo\n"; err == nil || out != want {
				t.Errorf("overflow: got %v, %q, want %q", err, out, want)
			}
		})
	}
}

func compile(t *testing.T, cc []string) (program string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "pool.c")
	program = filepath.Join(dir, "pool")
	if err := os.WriteFile(source, []byte(Source(8)+host), 0o666); err != nil {
		t.Fatal(err)
	}
	args := append(cc[1:], "-Wall", "-Wextra", "-Werror", "-O2", "-g", "-pthread", "-Wl,--wrap=sigaction", "-o", program, source)
	if out, err := exec.Command(cc[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
