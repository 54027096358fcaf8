KEEP int not_exit(int x) { if (x > 4) exit(x); return x; }
KEEP int not_fork(void) { return fork() + 1; }
KEEP int not_vfork(void) { return vfork() + 1; }
