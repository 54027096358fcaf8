package main

import (
	"image"
	"image/color"
	"testing"

	"github.com/chai2010/webp"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob reads the headers of 100 pictures, and decodes one of 64 by 64.
func BenchmarkJob(b *testing.B) {
	picture := image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		picture.SetRGBA(i%64, i/64, color.RGBA{uint8(i), uint8(i / 64), 99, 255})
	}
	data, err := webp.EncodeLosslessRGBA(picture)
	if err != nil {
		b.Fatal(err)
	}
	for range job.Ops(b) {
		for range 100 {
			if width, height, _, err := webp.GetInfo(data); err != nil || width != 64 || height != 64 {
				b.Fatalf("got %d by %d, %v", width, height, err)
			}
		}
		back, err := webp.DecodeRGBA(data)
		if err != nil || string(back.Pix) != string(picture.Pix) {
			b.Fatalf("the picture came back changed: %v", err)
		}
	}
}
