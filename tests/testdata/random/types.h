#include <complex.h> // cgo writes complex
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <errno.h>
#include <poll.h>
enum color { red, green, blue };
struct ints { long a, b; };
struct vector { double x, y; };
struct floats { float x[2]; };
struct mixed { float x; long n; };
struct bits { double x; int a : 3, b : 7; };
struct pair { int a; double b; };
struct tiny { char a; };
struct one { long a; };
struct inner { double x; struct one t; };
struct nested { short n; struct inner in; };
struct big { long a[5]; };
struct triple { float x, y, z; };
union both { int i; float f; };
typedef int (*function)(int);
static const char constant = 42;
#define MIX(x) (h = (h ^ (unsigned long long)(x)) * 0x100000001b3ull)
#define MIXD(x) do { double d = (x); unsigned long long u; memcpy(&u, &d, 8); MIX(u); } while (0)
#define MIXF(x) MIXD((double)(x))
