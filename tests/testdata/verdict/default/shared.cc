__attribute__((noinline)) inline int same(int n) { return n + 2; }
extern "C" int shared(int n) { return same(n) + 1; }
