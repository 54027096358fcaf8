-- LuaJIT's FFI, compiled by its JIT, and ("luajit-interpreted") with the JIT off. Arguments: the way, calls, add's library.
local ffi = require("ffi")
ffi.cdef [[
int add(int a, int b);
long long thread_ns(void);
]]
local way, n, library = arg[1], tonumber(arg[2]), ffi.load(arg[3])
if way == "luajit-interpreted" then jit.off() end

local function calls(n)
  local s = 0
  for _ = 1, n do s = library.add(s, 1) end
  return s
end

calls(n / 10)
local start = library.thread_ns()
local sum = calls(n)
local took = tonumber(library.thread_ns() - start)
assert(sum == n)
print(("BenchmarkForeign/way=%s %d %.3f ns/op"):format(way, n, took / n))
