package main

import (
	"encoding/binary"
	"testing"

	"github.com/veandco/go-sdl2/sdl"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob draws a frame of 200 small rectangles, each with a line below it,
// by the software renderer, handles the events, and looks at the pixels.
func BenchmarkJob(b *testing.B) {
	b.Setenv("SDL_VIDEODRIVER", "dummy")
	if err := sdl.Init(sdl.INIT_VIDEO); err != nil {
		b.Fatal(err)
	}
	defer sdl.Quit()
	surface, err := sdl.CreateRGBSurfaceWithFormat(0, 320, 240, 32, uint32(sdl.PIXELFORMAT_ARGB8888))
	if err != nil {
		b.Fatal(err)
	}
	defer surface.Free()
	renderer, err := sdl.CreateSoftwareRenderer(surface)
	if err != nil {
		b.Fatal(err)
	}
	defer renderer.Destroy()
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	for range job.Ops(b) {
		if _, err := sdl.PushEvent(&sdl.UserEvent{Type: sdl.USEREVENT, Code: 7}); err != nil {
			b.Fatal(err)
		}
		events := 0
		for event := sdl.PollEvent(); event != nil; event = sdl.PollEvent() {
			if e, ok := event.(*sdl.UserEvent); ok && e.Code == 7 {
				events++
			}
		}
		check(renderer.SetDrawColor(0, 0, 0, 255))
		check(renderer.Clear())
		for i := range int32(200) {
			x, y := i%20*16, i/20*24
			check(renderer.SetDrawColor(uint8(i), 128, 0, 255))
			check(renderer.FillRect(&sdl.Rect{X: x, Y: y, W: 12, H: 12}))
			check(renderer.DrawLine(x, y+14, x+11, y+14))
		}
		renderer.Present()
		pixels := surface.Pixels()
		for i := range 200 {
			at := (i/20*24)*int(surface.Pitch) + i%20*16*4
			want := uint32(0xff008000 | i<<16)
			if got, line := binary.LittleEndian.Uint32(pixels[at:]), binary.LittleEndian.Uint32(pixels[at+14*int(surface.Pitch):]); got != want ||
				line != want {
				b.Fatalf("rectangle %d: got %#x and %#x, want %#x", i, got, line, want)
			}
		}
		if events != 1 {
			b.Fatalf("got %d events, want 1", events)
		}
	}
}
