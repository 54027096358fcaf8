package rt

import (
	"encoding/json"
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
		for _, change := range []func(*Offsets){
			func(o *Offsets) { o.GM = -8 },
			func(o *Offsets) { o.GM = o.GSchedSP },
			func(o *Offsets) { o.GStackLo = 1 << 40 },
			func(o *Offsets) { o.ArenaBits = 0 },
		} {
			wrong := offsets
			change(&wrong)
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
		for _, field := range fields {
			offset := *field.get(&offsets)
			key := [2]any{field.path[0], offset}
			if offset < 0 || offset >= largestStruct || seen[key] != "" {
				t.Errorf("%s at %d, with %q", field.name, offset, seen[key])
			}
			seen[key] = field.name
		}
		again, _ := json.Marshal(offsets) // numbers
		if other, ok := parseOffsets(again); !ok || other != offsets {
			t.Errorf("got %+v, want %+v", other, offsets)
		}
	})
}
