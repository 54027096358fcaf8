package main

import (
	"testing"

	"github.com/gen2brain/malgo"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob plays 100 periods of a sine to a device that is none. Such a device
// takes its time as a real one does.
func BenchmarkJob(b *testing.B) {
	const null = malgo.BackendNull + 1 // of miniaudio.h; this version of malgo lacks the one before it
	context, err := malgo.InitContext([]malgo.Backend{null}, malgo.ContextConfig{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer context.Free()
	defer context.Uninit()
	config := malgo.DefaultDeviceConfig(malgo.Playback)
	config.Playback.Format, config.Playback.Channels = malgo.FormatS16, 2
	config.SampleRate, config.PeriodSizeInFrames, config.Periods = 48000, 48, 2
	config.NoPreSilencedOutputBuffer = 1
	periods := make(chan int, 1000)
	phase := 0
	device, err := malgo.InitDevice(context.Context, config, malgo.DeviceCallbacks{Data: func(out, in []byte, frames uint32) {
		for i := range out {
			out[i] = byte(phase * phase)
			phase++
		}
		select {
		case periods <- len(out):
		default:
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer device.Uninit()
	if err := device.Start(); err != nil {
		b.Fatal(err)
	}
	for range job.Ops(b) {
		for got := 0; got < 100*48*4; {
			n := <-periods
			if n == 0 || n%4 != 0 {
				b.Fatalf("a period of %d bytes", n)
			}
			got += n
		}
	}
}
