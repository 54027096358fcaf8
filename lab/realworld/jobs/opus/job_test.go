package main

import (
	"math"
	"testing"

	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
	"gopkg.in/hraban/opus.v2"
)

// BenchmarkJob encodes a second of a tone in frames of 10 ms, and decodes it.
func BenchmarkJob(b *testing.B) {
	const rate, frame = 48000, 480
	encoder, err := opus.NewEncoder(rate, 1, opus.AppVoIP)
	if err != nil {
		b.Fatal(err)
	}
	decoder, err := opus.NewDecoder(rate, 1)
	if err != nil {
		b.Fatal(err)
	}
	tone := make([]int16, rate)
	for i := range tone {
		tone[i] = int16(10000 * math.Sin(2*math.Pi*440*float64(i)/rate))
	}
	packet, heard := make([]byte, 1000), make([]int16, frame)
	for range job.Ops(b) {
		energy := 0.0
		for at := 0; at < rate; at += frame {
			n, err := encoder.Encode(tone[at:at+frame], packet)
			if err != nil {
				b.Fatal(err)
			}
			if got, err := decoder.Decode(packet[:n], heard); err != nil || got != frame {
				b.Fatalf("got %d samples, %v, want %d", got, err, frame)
			}
			for _, v := range heard {
				energy += float64(v) * float64(v)
			}
		}
		if loudness := math.Sqrt(energy / rate); loudness < 6500 || loudness > 7500 {
			b.Fatalf("the tone's loudness is %.0f, want 7071", loudness)
		}
	}
}
