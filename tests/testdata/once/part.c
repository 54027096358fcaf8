// What a file asks by a macro's name only the preprocessor can tell, so it is asked in each build.
#define HEADER <stddef.h>
#if __has_include(HEADER)
int part(int n) { return n + 1; }
#endif
