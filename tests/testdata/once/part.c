// A file that speaks of the __TIME__ is preprocessed for each build.
int part(int n) { return n + 1; }
