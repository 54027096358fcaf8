package main

import (
	"fmt"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob lays out a frame of 200 widgets, for which no window is needed.
func BenchmarkJob(b *testing.B) {
	context := imgui.CreateContext()
	defer imgui.DestroyContextV(context)
	io := imgui.CurrentIO()
	io.SetIniFilename("")
	io.SetDisplaySize(imgui.NewVec2(800, 2000))
	io.SetDeltaTime(1.0 / 60)
	if !io.Fonts().Build() {
		b.Fatal("no font")
	}
	var names []string
	for i := range 50 {
		names = append(names, fmt.Sprintf("value %d", i))
	}
	on, values := make([]bool, 50), make([]float32, 50)
	for range job.Ops(b) {
		imgui.NewFrame()
		imgui.SetNextWindowSize(imgui.NewVec2(790, 1990))
		if !imgui.Begin("job") {
			b.Fatal("the window is closed")
		}
		for i, name := range names {
			imgui.PushIDInt(int32(i))
			imgui.Text(name)
			imgui.SameLine()
			if imgui.Button("press") {
				b.Fatal("nobody pressed a button")
			}
			imgui.SameLine()
			imgui.Checkbox("on", &on[i])
			imgui.SameLine()
			imgui.SliderFloat("level", &values[i], 0, 1)
			imgui.PopID()
		}
		imgui.End()
		imgui.Render()
		if n := imgui.CurrentDrawData().TotalVtxCount(); n < 200*4 {
			b.Fatalf("the frame has %d corners", n)
		}
	}
}
