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
