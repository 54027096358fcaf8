extern int external(int);
KEEP int not_external(int x) { return external(x) + 1; }
__attribute__((weak)) int weak_function(int x) { return two(x); }
KEEP int not_weak(int x) { return weak_function(x) + 1; }
extern __attribute__((weak)) int maybe(int);
KEEP int not_weak_undefined(int x) { return maybe ? maybe(x) + 1 : 0; }
extern __thread int shared_tls;
