int other(int n) { return n + 100; }
int otherData = 7;
