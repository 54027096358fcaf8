KEEP int not_raise(void) { return raise(SIGUSR1) + 1; }
static void handler(int s) { (void)s; }
KEEP void not_signal(void) { signal(SIGUSR1, handler); }
