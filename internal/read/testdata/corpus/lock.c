static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
KEEP int not_lock(int *p) { pthread_mutex_lock(&mutex); int x = ++*p; pthread_mutex_unlock(&mutex); return x; }
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init_once(void) {}
KEEP int not_once(void) { return pthread_once(&once, init_once) + 1; }
KEEP char *not_getenv_set(void) { setenv("A", "b", 1); return 0; }
KEEP int safe_atomic(int *p) { return __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST); }
KEEP int not_spin_lock(int *p) { while (__atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE)) ; return 1; }
KEEP int not_spin_cas(int *p) { int z = 0;
	while (!__atomic_compare_exchange_n(p, &z, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) z = 0; return 1; }
KEEP int not_spin_both(int *p) { for (;;) {
	if (!__atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE)) return 1; while (__atomic_load_n(p, __ATOMIC_RELAXED)) ; } }
