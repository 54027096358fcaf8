static volatile int sink;
void alpha(int n) { for (int i = 0; i < n; i++) sink += i; }
