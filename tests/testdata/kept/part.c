int part(int n) { return n + 10; }
