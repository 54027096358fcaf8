"""Writes and compiles the module call_cffi. Arguments: the folder for it, that of add.h, that of add's library."""
import sys

from cffi import FFI

ffi = FFI()
ffi.cdef("int add(int a, int b);")
ffi.set_source("call_cffi", '#include "add.h"', libraries=["add"], include_dirs=[sys.argv[2]],
               library_dirs=[sys.argv[3]], runtime_library_dirs=[sys.argv[3]])
ffi.compile(tmpdir=sys.argv[1])
