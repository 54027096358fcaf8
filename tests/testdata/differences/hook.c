__attribute__((weak)) int hook(int n) { return n + 1; }
