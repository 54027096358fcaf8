//go:build linux && cgo && !wherry && (amd64 || arm64) && go1.24 && !go1.28 && !msan && !asan

package turning

/*
#cgo CFLAGS: -O2 -fno-lto
#cgo go1.26 CFLAGS: -DGO_MINOR=26
#cgo !go1.26,go1.25 CFLAGS: -DGO_MINOR=25
#cgo !go1.25 CFLAGS: -DGO_MINOR=24
#include <stddef.h>

// What package frames jumps to.
extern void _wherry_turn_parked(void), _wherry_turned_left(void), _wherry_return(void), _wherry_yields_later(void);
extern void (*const _wherry_abandon_func)(void);

extern const void *_wherry_go_turned, *_wherry_go_callback, *_wherry_go_callback_first, *_wherry_go_getg, *_wherry_go_setg;
extern int _wherry_preemption_is_off;
extern void _wherry_start(void);

static void start(int off, size_t turned, size_t callback, size_t callback_first, size_t getg, size_t setg) {
	_wherry_go_turned = (const void *)turned;
	_wherry_go_callback = (const void *)callback;
	_wherry_go_callback_first = (const void *)callback_first;
	_wherry_go_getg = (const void *)getg;
	_wherry_go_setg = (const void *)setg;
	_wherry_preemption_is_off = off;
	_wherry_start();
}
*/
import "C"

import (
	"os"
	"runtime/debug"
	"strings"
	"unsafe"

	"github.com/wherrygo/wherry/internal/crossing/rt/self"
	"github.com/wherrygo/wherry/internal/crossing/turning/frames"
)

// So cgo has the linker look for them in C.
var _ = [...]unsafe.Pointer{C._wherry_turn_parked, C._wherry_turned_left, C._wherry_return, C._wherry_yields_later,
	unsafe.Pointer(&C._wherry_abandon_func)}

func init() {
	if here = self.Load() == nil; here {
		C.start(preemptionIsOff(), C.size_t(frames.TurnedPC), C.size_t(frames.CallbackPC), C.size_t(frames.CallbackFirstPC),
			C.size_t(frames.GetgPC), C.size_t(frames.SetgPC))
	}
}

// preemptionIsOff returns 1 if the runtime sends no signals: GODEBUG says so, or what stands
// for it in the program.
func preemptionIsOff() (off C.int) {
	settings := os.Getenv("GODEBUG")
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "DefaultGODEBUG" {
				settings = s.Value + "," + settings
			}
		}
	}
	for setting := range strings.SplitSeq(settings, ",") {
		switch setting {
		case "asyncpreemptoff=1", "gccheckmark=1":
			off = 1
		case "asyncpreemptoff=0":
			off = 0
		}
	}
	return off
}
