const char *s = ".incbin \"a file\" asm(\".include\")";
int f(int asmlike) { return asmlike + 'a'; }
