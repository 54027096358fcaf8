volatile int sink;
static __attribute__((noinline)) void helper(int n) {
	for (int i = 0; i < n; i++) sink += i; // in a
}
void in_a(int n) { helper(n); sink++; }
