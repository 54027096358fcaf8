package tests

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// plansOf is how many programs are made of one source, which is compiled once.
const plansOf = 50

// TestPrograms makes programs of the pieces in testdata/programs, runs them plainly and by
// wherry, and wants the same. A program is a source, made from a seed, with a plan, made from
// another, of what it runs in what order and nesting; each runs in a setting of its own.
// WHERRY_PROGRAMS=1000 is another number of programs for each target, WHERRY_PROGRAMS_SEED=7
// another first seed, and WHERRY_PROGRAMS_KEEP=folder is where those that differ are left.
//
// One that does not end may be Go's: in 1.26 and 1.27 a thread of C's that ends (dropm) just
// as the world is stopped can keep its P, plainly too, and all stands for up to a minute.
func TestPrograms(t *testing.T) {
	programs, first := 30, uint64(2)
	if testing.Short() {
		programs = 10
	}
	for name, set := range map[string]func(n uint64){
		"WHERRY_PROGRAMS":      func(n uint64) { programs = int(n) },
		"WHERRY_PROGRAMS_SEED": func(n uint64) { first = n },
	} {
		if text := os.Getenv(name); text != "" {
			n, err := strconv.ParseUint(text, 10, 32)
			if err != nil || n == 0 {
				t.Fatalf("%s=%s: want a number, 1 or more", name, text)
			}
			set(n)
		}
	}
	onEach(t, func(t *testing.T, on target) {
		programs := programs
		if on.runner != nil && os.Getenv("WHERRY_PROGRAMS") == "" {
			programs = min(programs, 4)
		}
		ran, sources := 0, 0
		for left := programs; left > 0; left -= plansOf {
			seed := first + uint64(sources)
			t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { newProgramSource(t, seed).compare(t, on, min(plansOf, left), &ran) })
			sources++
		}
		t.Logf("%d programs of %d sources", ran, sources)
	})
}

// compare builds a source and runs a number of plans, until one differs; it adds to ran how many.
func (s *programSource) compare(t *testing.T, on target, plans int, ran *int) {
	m := newModule(t, nil).on(on)
	s.write(m)
	m.must("go", "build", "-o", "plain")
	m.must(wherry, "build", "-o", "fast")
	for i := range plans {
		*ran++
		p := s.plan(uint64(i), on)
		want, got := p.run(m, "./plain"), p.run(m, "./fast")
		if want.status != 0 {
			t.Fatalf("%s: the plain program itself fails, with status %d: a piece is wrong\n%s\n%.3000s", p, want.status, want.stdout, want.stderr)
		}
		if !got.equals(want) {
			t.Errorf("%s: got status %d and\n%s\nwant\n%s\n%.3000s", p, got.status, got.stdout, want.stdout, got.stderr)
			s.cut(m, p)
			return // the others of this source would likely say the same
		}
	}
}

// A programPlan is how a source is run.
type programPlan struct {
	seed, depth uint64
	only        []string // tasks, "3"; all if there are none
	without     []string // pieces
	setting     []string // environment
	stack       int      // ulimit -s, unless 0
	limit       time.Duration
}

func (s *programSource) plan(i uint64, on target) programPlan {
	random := rand.New(rand.NewPCG(s.seed, i+1000))
	// With Go 1.26 and 1.27, plainly too, to stop the world may take a minute: when sysmon looks at a
	// thread in a system call just then (setBlockOnExitSyscall fails), until it wakes up again.
	p := programPlan{seed: s.seed*1000 + i, depth: 3, limit: 150 * time.Second}
	if on.runner != nil {
		p.limit *= 2
	}
	p.setting = []string{"GOGC=" + oneOf(random, "1", "1", "10", "100")}
	debug := oneOf(random, "", "", "asyncpreemptoff=1", "clobberfree=1", "gccheckmark=1", "gcshrinkstackoff=1", "cgocheck=1,invalidptr=1",
		"gcstoptheworld=1")
	if s.policy != "" && (debug == "asyncpreemptoff=1" || debug == "gccheckmark=1") {
		debug = "" // without the runtime's signals what a rule names may hold Go up: docs/policy.md
	}
	if debug != "" {
		p.setting = append(p.setting, "GODEBUG="+debug)
	}
	if random.IntN(3) == 0 {
		p.setting = append(p.setting, "GOMAXPROCS="+oneOf(random, "1", "2", "4"))
	}
	if random.IntN(6) == 0 {
		p.setting = append(p.setting, "WHERRY_CSTACK_LIMIT=1")
	}
	if random.IntN(4) == 0 && on.runner == nil {
		p.stack = 65536
	}
	if random.IntN(12) == 0 {
		p.setting = append(p.setting, "WHERRY=off")
	}
	return p
}

func (p programPlan) args() []string {
	args := []string{fmt.Sprintf("-seed=%d", p.seed), fmt.Sprintf("-depth=%d", p.depth)}
	if len(p.only) > 0 {
		args = append(args, "-only="+strings.Join(p.only, ","))
	}
	if len(p.without) > 0 {
		args = append(args, "-without="+strings.Join(p.without, ","))
	}
	return args
}

// String is how it is run by hand.
func (p programPlan) String() string {
	text := strings.Join(p.setting, " ") + " ./fast " + strings.Join(p.args(), " ")
	if p.stack != 0 {
		text = fmt.Sprintf("ulimit -s %d; %s", p.stack, text)
	}
	return text
}

// equals reports whether a program ended as another one: what it says on standard error
// is for people.
func (r result) equals(want result) bool { return r.status == want.status && r.stdout == want.stdout }

// run runs a program in a plan. One that does not end is ended, with status -1.
func (p programPlan) run(m *module, name string) result {
	m.t.Helper()
	words := append(append(slices.Clone(m.runner), name), p.args()...)
	if p.stack != 0 {
		words = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -s %d && exec "$@"`, p.stack), "sh"}, words...)
	}
	ctx, end := context.WithTimeout(context.Background(), p.limit)
	defer end()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(append(os.Environ(), m.env...), p.setting...)
	cmd.WaitDelay = time.Second
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		m.t.Fatalf("%q: %v", words, err)
	}
	r := result{stdout: stdout.String(), stderr: stderr.String(), status: cmd.ProcessState.ExitCode()}
	if ctx.Err() != nil {
		r.stderr += fmt.Sprintf("ended by the test after %v\n", p.limit)
	}
	return r
}

// keep leaves a program that differs where WHERRY_PROGRAMS_KEEP says.
func (s *programSource) keep(m *module, how string) {
	m.t.Helper()
	folder := cmp.Or(os.Getenv("WHERRY_PROGRAMS_KEEP"), filepath.Join(os.TempDir(), "wherry-programs"))
	name := filepath.Join(folder, fmt.Sprintf("%s-%d", strings.ReplaceAll(m.t.Name(), "/", "-"), os.Getpid()))
	for _, built := range []string{"plain", "fast"} {
		os.Remove(m.path(built))
	}
	m.write("HOW.txt", "CGO_CFLAGS='"+s.cflags+"' wherry build -o fast && go build -o plain\n"+how+"\n")
	if err := os.CopyFS(name, os.DirFS(m.dir)); err != nil {
		m.t.Fatal(err)
	}
	m.t.Logf("the program is in %s", name)
}
