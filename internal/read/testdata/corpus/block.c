KEEP int not_usleep(void) { return usleep(10) + 1; }
__attribute__((cold, noinline)) static int cold_path(int x) { return usleep(x); }
KEEP int not_cold(int x) { if (__builtin_expect(x > 1000, 0)) { for (int i = 0; i < x; i++) cold_path(i); return 3; } return x; }
static int aliased(int x) { return usleep(x) + 2; }
extern __typeof(aliased) alias __attribute__((alias("aliased")));
KEEP int not_alias(int x) { return alias(x) + 1; }
KEEP int not_switch_call(int x) {
	switch (x) {
	case 0: return 10; case 1: return 7 * x; case 2: return 3; case 3: return safe_add(x, 3); case 4: return usleep(9);
	case 5: return x << 3; case 6: return safe_division(x, 2); case 7: return -1; case 8: return 77; case 9: return x ^ 12;
	}
	return 0;
}
