//go:build unix && !linux

package event

import "syscall"

var makeWaker = newPipe

func mapMemory(size int) ([]byte, error) {
	return syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
}

func unmapMemory(memory []byte) error { return syscall.Munmap(memory) }
