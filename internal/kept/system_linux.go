package kept

import (
	"io/fs"
	"os"
	"syscall"
	"time"
)

func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

func rename(dir *os.File, from, to string) error {
	fd := int(dir.Fd())
	return syscall.Renameat(fd, from, fd, to)
}

func touch(file *os.File) {
	now := syscall.NsecToTimeval(time.Now().UnixNano())
	syscall.Futimes(int(file.Fd()), []syscall.Timeval{now, now})
}

func wait(file *os.File) {
	for err := error(syscall.EINTR); err == syscall.EINTR; {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
	}
}
