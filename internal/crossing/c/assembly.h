// What the assembly begins with: crossing.S, and each package's stubs.

#include "layout.h"

// lld takes for garbage what only __start_ and __stop_ symbols refer to, and zig cc has it
// collect that: https://lld.llvm.org/ELF/start-stop-gc. Old assemblers do not know R.
#if defined(__clang__) && __clang_major__ >= 13
#define TEXT_FLAGS "axR"
#define CALLS_FLAGS "awR"
#else
#define TEXT_FLAGS "ax"
#define CALLS_FLAGS "aw"
#endif

	.section .note.GNU-stack, "", %progbits
	.text

#if defined(__x86_64__)
#include "macros_amd64.h"
#include "call_amd64.h"
#include "callback_amd64.h"
#else
#include "macros_arm64.h"
#include "call_arm64.h"
#include "callback_arm64.h"
#endif
#include "stub.h"
