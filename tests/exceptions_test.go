package tests

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const throwing = `package main

/*
#include <stdlib.h>
extern long descend(int n, int depth);
extern long carry(int n);
extern void none(int n);
extern int alive(void);
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

// step goes down once more in C++, below a Go frame that other goroutines
// interrupt.
//
//export step
func step(n, depth C.int) C.long {
	runtime.Gosched()
	if depth == 0 {
		return C.long(n)
	}
	return C.descend(n, depth)
}

//export nothing
func nothing() {
	runtime.Gosched()
	stack(10)
}

// stack makes the goroutine's stack grow.
func stack(n int) byte {
	var room [1024]byte
	if n > 0 {
		room[n] = stack(n - 1)
	}
	return room[n]
}

//export again
func again(n C.int) { C.none(n - 1) }

func main() {
	if len(os.Args) > 1 {
		n, _ := strconv.Atoi(os.Args[1])
		C.none(C.int(n))
		fmt.Println("passed")
		return
	}
	var all sync.WaitGroup
	sums := make([]C.long, 8)
	for g := range sums {
		all.Add(1)
		go func() {
			defer all.Done()
			for n := range C.int(40) {
				sums[g] = sums[g]*31 + C.descend(n+C.int(g), 6)
				sums[g] = sums[g]*31 + C.carry(n)
			}
		}()
	}
	all.Wait()
	fmt.Println(sums, C.alive())
}
`

const throwingCC = `
#include <atomic>
#include <exception>
#include <stdexcept>
#include <string>

extern "C" {
long step(int n, int depth);
void nothing(void);
void again(int n);
long descend(int n, int depth);
long carry(int n);
void none(int n);
int alive(void);
}

static std::atomic<int> living(0);

struct counted {
	long &sum;
	long add;
	counted(long &sum, long add) : sum(sum), add(add) { living++; }
	~counted() {
		living--;
		sum += add + std::uncaught_exceptions();
		nothing(); // Go runs while the stack is unwound
	}
};

struct failure : std::runtime_error {
	long value;
	failure(long value) : std::runtime_error("failure " + std::to_string(value)), value(value) {}
};

// Exceptions are thrown and caught between callbacks: in front of one, behind
// one, while one is handled, and again out of a handler.
long descend(int n, int depth) {
	long sum = 0;
	try {
		counted outer(sum, 1);
		try {
			counted inner(sum, 10);
			sum += step(n, depth - 1);
			switch (n % 4) {
			case 0: throw n;
			case 1: throw failure(n);
			case 2: throw std::string("text");
			}
		} catch (int value) {
			sum = sum * 3 + step(value + 1, depth - 1);
			throw failure(sum);
		} catch (const failure &f) {
			sum = sum * 5 + f.value + long(std::string(f.what()).size());
			nothing();
			throw;
		}
	} catch (const failure &f) {
		nothing();
		sum = sum * 7 + f.value;
	} catch (...) {
		nothing();
		sum = sum * 11 + 1;
	}
	return sum;
}

// An exception may be carried past Go as a value.
static thread_local std::exception_ptr carried;

long carry(int n) {
	if (n % 2 == 0) {
		try { throw failure(n); } catch (...) { carried = std::current_exception(); }
		return step(n, 0);
	}
	try {
		carry(n - 1);
		std::exception_ptr p = carried;
		carried = nullptr;
		std::rethrow_exception(p);
	} catch (const failure &f) { return f.value; }
}

// The handler stands beyond Go: no exception gets there.
void none(int n) {
	if (n == 0) throw failure(0);
	try { again(n); } catch (const failure &f) { nothing(); }
}

int alive(void) { return living; }
`

// C++ exceptions that stay between two crossings are thrown, caught, carried and
// unwound as through plain cgo, with callbacks in destructors and handlers; one that
// leaves C++ ends the process as it does there.
func TestExceptions(t *testing.T) {
	onEach(t, func(t *testing.T, on target) {
		if on.name == arm64.name {
			if _, err := exec.LookPath("aarch64-linux-gnu-g++"); err != nil {
				t.Skip("aarch64-linux-gnu-g++ is not installed (Debian: g++-aarch64-linux-gnu)")
			}
			on.env = append(on.env[:len(on.env):len(on.env)], "CXX=aarch64-linux-gnu-g++")
		}
		m := newModule(t, map[string]string{"main.go": throwing, "throw.cc": throwingCC}).on(on)
		m.must("go", "build", "-o", "plain")
		if got := m.build("./fast").mode("descend"); got != "fast" {
			t.Fatalf("descend is %q, want fast", got)
		}
		m.write("wherry.policy", "example.com/m * reentrant\nexample.com/m alive fast\n")
		if got := m.build("./reentrant").mode("descend"); got != "reentrant" {
			t.Fatalf("descend is %q, want reentrant", got)
		}
		want := m.mustProgram("./plain").stdout
		ways := []struct{ program, env string }{
			{"./fast", ""},
			{"./fast", "WHERRY_CSTACK_LIMIT=1"},
			{"./fast", "GODEBUG=asyncpreemptoff=1"}, // every call is turned before it begins
			{"./reentrant", ""},
		}
		env := m.env
		for _, way := range ways {
			m.env = append(slices.Clip(env), way.env)
			if got := m.mustProgram(way.program).stdout; got != want || !strings.HasSuffix(want, " 0\n") {
				t.Errorf("%s %s: got %q, want %q as through plain cgo, and no living object", way.program, way.env, got, want)
			}
		}
		env = append(slices.Clip(env), "GOTRACEBACK=none")
		told := regexp.MustCompile(`terminate called.*\n  what\(\):.*`)
		for _, n := range []string{"0", "1", "3"} {
			m.env = env
			plain := m.program("./plain", n)
			for _, way := range ways {
				m.env = append(slices.Clip(env), way.env)
				fast := m.program(way.program, n)
				if fast.status != plain.status || told.FindString(fast.stderr) != told.FindString(plain.stderr) ||
					plain.status == 0 || fast.stdout != "" {
					t.Errorf("%s %s: thrown below %s Go frames: got exit status %d, %.1000q, want %d, %.1000q", way.program, way.env, n, fast.status,
						fast.stderr, plain.status, plain.stderr)
				}
			}
		}
	})
}
