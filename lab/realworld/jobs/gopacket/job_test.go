package main

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcap"
	"github.com/google/gopacket/pcapgo"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

const packets = 100_000

// BenchmarkJob reads 100,000 packets of 64 bytes from a file, through a filter
// that lets every second pass.
func BenchmarkJob(b *testing.B) {
	name := filepath.Join(b.TempDir(), "packets")
	file, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	w := pcapgo.NewWriter(file)
	if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
		b.Fatal(err)
	}
	packet := make([]byte, 64)
	for i := range packets {
		packet[0] = byte(i % 2)
		binary.BigEndian.PutUint32(packet[60:], uint32(i))
		if err := w.WritePacket(gopacket.CaptureInfo{CaptureLength: 64, Length: 64}, packet); err != nil {
			b.Fatal(err)
		}
	}
	file.Close()
	for range job.Ops(b) {
		handle, err := pcap.OpenOffline(name)
		if err != nil {
			b.Fatal(err)
		}
		if err := handle.SetBPFFilter("ether[0] & 1 = 1"); err != nil {
			b.Fatal(err)
		}
		n := 0
		for ; ; n++ {
			data, info, err := handle.ZeroCopyReadPacketData()
			if err == io.EOF {
				break
			}
			if err != nil || info.Length != 64 || binary.BigEndian.Uint32(data[60:]) != uint32(2*n+1) {
				b.Fatalf("packet %d: got %v of %d bytes, %v", n, data, info.Length, err)
			}
		}
		handle.Close()
		if n != packets/2 {
			b.Fatalf("got %d packets, want %d", n, packets/2)
		}
	}
}
