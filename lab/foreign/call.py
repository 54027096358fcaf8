"""Python: ctypes, and cffi in API mode, a compiled module. Arguments: the way, calls, add's library, cffi's module's folder."""
import ctypes
import sys

way, n, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
library = ctypes.CDLL(file)
library.thread_ns.restype = ctypes.c_longlong
add = library.add
add.argtypes, add.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
if way == "python-cffi":
    sys.path.insert(0, sys.argv[4])
    from call_cffi import lib
    add = lib.add


def loop(n):
    s = 0
    for _ in range(n):
        s = add(s, 1)
    return s


loop(n // 10)
start = library.thread_ns()
total = loop(n)
took = library.thread_ns() - start
assert total == n, total
print(f"BenchmarkForeign/way={way} {n} {took / n:.3f} ns/op")
