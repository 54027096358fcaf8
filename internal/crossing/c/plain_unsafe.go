//go:build linux && cgo && !wherry_built && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package c

/*
#cgo CFLAGS: -O2 -std=gnu11 -fno-lto -DBY_GO_BUILD
#cgo go1.26 CFLAGS: -DGO_MINOR=26
#cgo !go1.26,go1.25 CFLAGS: -DGO_MINOR=25
#cgo !go1.25 CFLAGS: -DGO_MINOR=24
#include <stddef.h>

// What package frames jumps to.
extern void _wherry_turn_parked(void), _wherry_turned_left(void), _wherry_return(void), _wherry_yields_later(void);

extern const void *_wherry_go_turned, *_wherry_go_callback, *_wherry_go_callback_first, *_wherry_go_getg, *_wherry_go_setg;
extern void (**_wherry_bindm)(void *);
extern int _wherry_preemption_is_off;
extern void _wherry_start(void);

static void start(int off, void *bindm, size_t turned, size_t callback, size_t callback_first, size_t getg, size_t setg) {
	_wherry_go_turned = (const void *)turned;
	_wherry_go_callback = (const void *)callback;
	_wherry_go_callback_first = (const void *)callback_first;
	_wherry_go_getg = (const void *)getg;
	_wherry_go_setg = (const void *)setg;
	_wherry_bindm = bindm;
	_wherry_preemption_is_off = off;
	_wherry_start();
}

// ThreadSanitizer delivers signals when it likes.
#ifdef __has_feature
#define HAS_FEATURE __has_feature
#else
#define HAS_FEATURE(x) 0
#endif
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
enum { watched = 1 };
#else
enum { watched = 0 };
#endif
*/
import "C"

import (
	"os"
	"strconv"
	"strings"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/frames"
	"github.com/wherrygo/wherry/internal/goruntime/running"
)

// So cgo has the linker look for them in C.
var _ = [...]unsafe.Pointer{C._wherry_turn_parked, C._wherry_turned_left, C._wherry_return, C._wherry_yields_later}

func init() {
	if here = running.Verify() == nil && C.watched == 0; here {
		C.start(preemptionIsOff(), unsafe.Pointer(&bindm), C.size_t(frames.TurnedPC), C.size_t(frames.CallbackPC),
			C.size_t(frames.CallbackFirstPC), C.size_t(frames.GetgPC), C.size_t(frames.SetgPC))
	}
}

// bindm is what the runtime calls for a thread of C's that calls Go for the first time.
//
//go:linkname bindm _cgo_bindm
var bindm unsafe.Pointer

// preemptionIsOff returns 1 if GODEBUG says that the runtime sends no signals, as
// runtime.parsedebugvars reads it.
func preemptionIsOff() C.int {
	values := map[string]int64{}
	for setting := range strings.SplitSeq(os.Getenv("GODEBUG"), ",") {
		name, value, _ := strings.Cut(setting, "=")
		if n, err := strconv.ParseInt(value, 10, 32); err == nil {
			values[name] = n
		}
	}
	if values["asyncpreemptoff"] != 0 || values["gccheckmark"] > 0 {
		return 1
	}
	return 0
}
