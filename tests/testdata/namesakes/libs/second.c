static volatile int sink;
void gamma(int n) { for (int i = 0; i < n; i++) sink += i; }
