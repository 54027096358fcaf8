package goruntime

import (
	"encoding/json"
	"maps"
	"runtime"
	"testing"
)

// Whatever is kept, offsets that are used are within the runtime's structs, and no two fields are
// at one place.
func FuzzOffsets(f *testing.F) {
	f.Add([]byte("{}"))
	if runtime.GOOS == "linux" {
		offsets, err := toolchain(f, runtime.GOARCH).probe()
		if err != nil {
			f.Fatal(err)
		}
		text, _ := json.Marshal(offsets) // numbers
		f.Add(text)
		for _, change := range []func(Offsets){
			func(o Offsets) { o["G_M"] = -8 },
			func(o Offsets) { o["G_M"] = o["G_SCHED_SP"] },
			func(o Offsets) { o["G_M"], o["G_STACK_LO"] = 0, 1<<20 },
			func(o Offsets) { o["G_STACK_LO"] = 1 << 40 },
			func(o Offsets) { o["ARENA_BITS"] = 0 },
			func(o Offsets) { delete(o, "G_M") },
		} {
			wrong := maps.Clone(offsets)
			change(wrong)
			text, _ := json.Marshal(wrong) // numbers
			if _, ok := parseOffsets(text); ok {
				f.Errorf("%s is accepted", text)
			}
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		offsets, ok := parseOffsets(text)
		if !ok {
			return
		}
		seen := map[[2]any]string{}
		for _, l := range lines() {
			if l.isConstant() || l.isVariable() {
				continue
			}
			offset := offsets[l.Name]
			place, _ := l.path()
			key := [2]any{place, offset}
			if offset < 0 || offset >= largestStruct || seen[key] != "" {
				t.Errorf("%s at %d, with %q", l.What, offset, seen[key])
			}
			seen[key] = l.What
		}
		again, _ := json.Marshal(offsets) // numbers
		if other, ok := parseOffsets(again); !ok || !maps.Equal(other, offsets) {
			t.Errorf("got %+v, want %+v", other, offsets)
		}
	})
}
