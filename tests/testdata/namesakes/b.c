extern volatile int sink;


// Lower than in a.c.


static __attribute__((noinline)) void helper(int n) {
	for (int i = 0; i < n; i++) sink -= i; // in b
}
void in_b(int n) { helper(n); sink--; }
