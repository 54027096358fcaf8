// Another package's definition would take the place of soft, but not of an inline function
// in C++, of which all definitions are the same: shared.cc has one.
__attribute__((weak)) int soft(int n) { return n + 1; }
