package crossing

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wherrygo/wherry/internal/crossing/blocking"
	"github.com/wherrygo/wherry/internal/goruntime"
)

// host has what the assembly and Go's runtime define in a program: a g, an m and a
// g0, whose fields are where Target says.
const host = `
__thread char world_g[4096], world_m[4096], world_g0[4096];
static __thread char *current_g;
volatile int entered;       // how often a goroutine was put into a system call
char *go_stack;             // where its stack pointer was
char *system_stack;         // and where the system stack seemed to end

void crosscall2(void (*fn)(void *), void *frame, int size, size_t context) { (void)size; (void)context; fn(frame); }
size_t _cgo_wait_runtime_init_done(void) { return 0; }
void _cgo_release_context(size_t context) { (void)context; }
void _wherry_abandon(void) {}
void _wherry_callback_frame(void (*fn)(void *), void *frame, int size) { (void)size; fn(frame); }
void _wherry_unturn(void) {}
int _wherry_gomaxprocs = 4;
void (*_wherry_cgo_bindm)(void *);
char _wherry_mheap[1], _wherry_module[1], _wherry_debug[4096];
void (*_wherry_set_traceback)(void *);
int roots, roots_over; // callbacks that holds have begun and ended
void (*x_crosscall2_ptr)(void (*)(void *), void *, int, size_t) = crosscall2;
void _wherry_hold_begin(char *root) {
	thread *t = &_wherry_thread;
	roots++;
	AT(char *, world_g, G_M) = world_m;
	AT(char *, world_g0, G_SCHED_SP) = root - 512; // crosscall2's and the runtime's frames
	t->held.g = world_g;
	t->held.go_sp = world_g + 2048;
	AT(char *, world_g, G_STACKGUARD0) = world_g + 1024;
	t->held.c_sp = NULL;
	t->active = &t->held;
	_wherry_setg(world_g);
}
void _wherry_hold_end(char *g) {
	(void)g;
	roots_over++;
	_wherry_setg(world_g0);
}
char *_wherry_getg(void) { return current_g; }
void _wherry_setg(char *g) { current_g = g; }
#if defined(__x86_64__)
void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0) {
#else
void _wherry_turn_enter(char *g, char *go_sp, char *go_fp, char *g0, char *go_lr) {
	(void)go_lr;
#endif
	(void)go_fp;
	if (g0 != NULL) system_stack = AT(char *, g0, G_STACK_LO);
	entered = entered + 1;
	go_stack = go_sp;
	AT(char *, g, G_SYSCALLSP) = go_sp - TURNED_FRAME;
}

// The assembly's section, and what stands in place of a C function.
__asm__(".section wherry_text, \"ax\"\n"
	"_wherry_turn_first:\n.byte 0, 0, 0, 0\n"
	"_wherry_through_cgo:\n.byte 0, 0, 0, 0\n"
	"_wherry_on_stack:\n.byte 0, 0, 0, 0\n"
	"_wherry_blocks:\n"
#if defined(__x86_64__)
	"push %rdi\npush %rsi\npush %rdx\npush %rcx\npush %r8\npush %r9\npush %rax\npush %r11\nsub $8, %rsp\n"
	"mov %r11, %rdi\nxor %esi, %esi\nxor %edx, %edx\ncall _wherry_block\n"
	"add $8, %rsp\npop %r11\npop %rax\npop %r9\npop %r8\npop %rcx\npop %rdx\npop %rsi\npop %rdi\n"
	"jmp *(%r11)\n"
#else
	"stp x0, x1, [sp, #-96]!\nstp x2, x3, [sp, #16]\nstp x4, x5, [sp, #32]\n"
	"stp x6, x7, [sp, #48]\nstp x8, x16, [sp, #64]\nstr x30, [sp, #80]\n"
	"mov x0, x16\nmov x1, #0\nmov x2, #0\nbl _wherry_block\n"
	"ldr x30, [sp, #80]\nldp x8, x16, [sp, #64]\nldp x6, x7, [sp, #48]\nldp x4, x5, [sp, #32]\nldp x2, x3, [sp, #16]\nldp x0, x1, [sp], #96\n"
	"ldr x16, [x16]\nbr x16\n"
#endif
	"code:\n.zero 4\n"
	".text\n");

// Calls of three C functions, in the order of their addresses.
extern char code[4] HIDDEN;
call calls[3] __attribute__((section("wherry_calls"))) = {
	{.returns = code + 1, .target = code, .twin = code, .name = "one", .package = "p", .flags = MAY_SWITCH},
	{.returns = code + 2, .target = code, .twin = code, .name = "two", .package = "p"},
	{.returns = code + 3, .target = code, .twin = code, .name = "three", .package = "p", .flags = ALWAYS | NO_CALLBACK},
};

// world returns the goroutine, as it stands at a call: C runs on this thread's stack.
static char *world(void) {
	static char stack[4096];
	AT(char *, world_g, G_M) = AT(char *, world_g0, G_M) = world_m;
	AT(char *, world_m, M_G0) = world_g0;
	AT(char *, world_m, M_VDSOSP) = stack + 2048;
	AT(char *, world_m, M_VDSOPC) = stack;
	return world_g;
}

static void expect(const char *what, long got, long want) {
	if (got != want) {
		fprintf(stderr, "%s: got %ld, want %ld\n", what, got, want);
		exit(1);
	}
}
`

// A compiler makes programs of Target's files for an architecture.
type compiler struct {
	goarch string
	words  []string
	run    []string // in front of the program
}

// compilers are those of the tests: this machine's, with sanitizers, and another
// machine's.
var compilers = []compiler{
	{runtime.GOARCH, []string{"gcc"}, nil},
	{runtime.GOARCH, []string{"clang"}, nil},
	{runtime.GOARCH, []string{"gcc", "-fsanitize=address,undefined"}, nil},
	{runtime.GOARCH, []string{"gcc", "-fsanitize=thread"}, nil},
	{"arm64", []string{"aarch64-linux-gnu-gcc"}, []string{"qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"}},
}

func (c compiler) name() string { return strings.Join(c.words, " ") }

func (c compiler) sanitizes() bool { return len(c.words) > 1 }

// compile returns a function that runs the program.
func (c compiler) compile(t *testing.T, target Target, program string) func(env string, args ...string) (string, error) {
	t.Helper()
	executable := c.build(t, target, host+program)
	return func(env string, args ...string) (string, error) {
		command := slices.Concat(c.run, []string{executable}, args)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Env = append(os.Environ(), env)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
}

// build compiles Target's files and more without a warning, and skips the test where
// there is no such compiler.
func (c compiler) build(t *testing.T, target Target, more string, flags ...string) (output string) {
	t.Helper()
	if c.goarch != "amd64" && c.goarch != "arm64" {
		t.Skipf("calls in flight are not there on %s", c.goarch)
	}
	for _, tool := range slices.Concat(c.words[:1], c.run[:min(1, len(c.run))]) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	target.GOARCH, target.Offsets = c.goarch, spread()
	files, err := target.Files()
	if err != nil {
		t.Fatal(err)
	}
	text := "#include \"" + Main + "\"\n"
	if !target.Static {
		names, err := target.Names(c.library(t), true, nil)
		if err != nil {
			t.Fatal(err)
		}
		const end = "SLOTS {NULL, NULL}"
		if !strings.Contains(names, end) {
			t.Fatalf("the table of names does not end with %s", end)
		}
		text += strings.Replace(names, end, `SLOTS {"no_such_function", NULL}, {NULL, NULL}`, 1)
	}
	dir := t.TempDir()
	source, output := filepath.Join(dir, "host.c"), filepath.Join(dir, "host")
	files["host.c"] = text + more
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := slices.Concat(c.words[1:], []string{"-Wall", "-Wextra", "-Werror", "-O2", "-g", "-pthread"}, target.Flags(),
		flags, []string{"-o", output, source})
	if out, err := exec.Command(c.words[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return output
}

// library reads the C library that the compiler links with.
func (c compiler) library(t *testing.T) blocking.Library {
	t.Helper()
	for _, name := range []string{"libc.so.6", "libc.so"} {
		path, err := exec.Command(c.words[0], "-print-file-name="+name).Output()
		if err != nil {
			t.Fatal(err)
		}
		if library, err := blocking.ReadLibrary([]string{strings.TrimSpace(string(path))}); err == nil {
			return library
		}
	}
	t.Fatalf("%s does not say where its C library is", c.words[0])
	return nil
}

// spread puts each of the runtime's fields a place of its own.
func spread() goruntime.Offsets {
	offsets := goruntime.Offsets{}
	for i, name := range goruntime.Names() {
		offsets[name] = int64(1008 + 8*i)
	}
	return offsets
}
