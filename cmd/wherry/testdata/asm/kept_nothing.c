const char *s = ".incbin \"a file\" [[:alpha:]]";
int f(int asmlike) { return asmlike + 'a'; }
