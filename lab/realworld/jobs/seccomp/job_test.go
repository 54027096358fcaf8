package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seccomp/libseccomp-golang"
	"github.com/wherrygo/wherry/lab/realworld/jobs/job"
)

// BenchmarkJob looks 300 system calls up, and makes a filter of those that exist.
func BenchmarkJob(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "filter"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	size := int64(0)
	for range job.Ops(b) {
		filter, err := seccomp.NewFilter(seccomp.ActErrno)
		if err != nil {
			b.Fatal(err)
		}
		for i := range 300 {
			name, err := seccomp.ScmpSyscall(i).GetName()
			if err != nil {
				b.Fatal(err)
			}
			number, err := seccomp.GetSyscallFromName(name)
			if err != nil || int(number) != i {
				b.Fatalf("%s is %d, want %d: %v", name, number, i, err)
			}
			if err := filter.AddRule(number, seccomp.ActAllow); err != nil {
				b.Fatal(err)
			}
		}
		if err := filter.ExportBPF(file); err != nil {
			b.Fatal(err)
		}
		end, err := file.Seek(0, io.SeekCurrent)
		if err != nil || end < 300*8 || size != 0 && end != size {
			b.Fatalf("got a filter of %d bytes, %v, want %d", end, err, size)
		}
		size = end
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			b.Fatal(err)
		}
		filter.Release()
	}
}
