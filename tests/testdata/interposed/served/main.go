// C asks for files of a file system that this program serves, by FUSE. The kernel lets C wait
// where no signal comes, so whoever serves must run meanwhile, with one P too.
package main

/*
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static int change(const char *file) { return chmod(file, 0600); }
static int follow(const char *link) { char to[100]; return readlink(link, to, sizeof to); }
static int cut(const char *file) { return truncate(file, 100); }
static int whole(const char *link) { char to[PATH_MAX]; return realpath(link, to) != NULL; }
static int space(const char *file) { struct statfs s; return statfs(file, &s); }
*/
import "C"

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// What the kernel asks, by linux/fuse.h.
const (
	lookup, forget, getattr, setattr, readlink = 1, 2, 3, 4, 5
	statfs, begin, interrupt, forgetMany       = 17, 26, 36, 42
)

const file, link = 2, 3 // nodes; the folder is 1

var order = binary.LittleEndian

// attributes are those of a node.
func attributes(node uint64) []byte {
	a := make([]byte, 88)
	order.PutUint64(a, node)
	order.PutUint64(a[8:], 4096) // bytes
	mode := map[uint64]uint32{1: syscall.S_IFDIR | 0o755, file: syscall.S_IFREG | 0o644, link: syscall.S_IFLNK | 0o777}
	order.PutUint32(a[60:], mode[node])
	order.PutUint32(a[64:], 1) // names
	order.PutUint32(a[80:], 4096)
	return a
}

// answer returns what follows the header of an answer, or an error.
func answer(asked []byte) ([]byte, syscall.Errno) {
	switch order.Uint32(asked[4:]) {
	case begin:
		out := make([]byte, 64)
		order.PutUint32(out, 7)
		order.PutUint32(out[4:], 31)
		order.PutUint32(out[20:], 1<<17) // bytes of a write
		return out, 0
	case lookup:
		out, node := make([]byte, 40), uint64(file)
		if asked[40] == 'l' {
			node = link
		}
		order.PutUint64(out, node)
		return append(out, attributes(node)...), 0
	case getattr, setattr:
		return append(make([]byte, 16), attributes(order.Uint64(asked[16:]))...), 0
	case readlink:
		return []byte("file"), 0
	case statfs:
		return make([]byte, 80), 0
	}
	return nil, syscall.ENOSYS
}

func serve(device int) {
	buffer := make([]byte, 1<<18)
	for {
		n, err := syscall.Read(device, buffer)
		if err != nil {
			return
		}
		asked := buffer[:n]
		switch order.Uint32(asked[4:]) {
		case forget, forgetMany, interrupt:
			continue // want no answer
		}
		body, errno := answer(asked)
		out := make([]byte, 16, 16+len(body))
		order.PutUint32(out, uint32(16+len(body)))
		order.PutUint32(out[4:], uint32(-int32(errno)))
		order.PutUint64(out[8:], order.Uint64(asked[8:]))
		syscall.Write(device, append(out, body...))
	}
}

// mount returns the folder, and what is served.
func mount() (folder string, device int, err error) {
	if folder, err = os.MkdirTemp("", "served"); err != nil {
		return "", 0, err
	}
	if device, err = syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0); err == nil {
		err = syscall.Mount("test", folder, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", device))
	}
	return folder, device, err
}

func main() {
	runtime.GOMAXPROCS(1)
	folder, device, err := mount()
	if err != nil {
		os.Remove(folder)
		fmt.Println("cannot:", err)
		return
	}
	// What hangs here cannot be killed, but another process can end it.
	watch := exec.Command("sh", "-c", `sleep 60 && umount -f "$0"`, folder)
	if err := watch.Start(); err != nil {
		panic(err)
	}
	go serve(device)
	go func() {
		for {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}()
	name, to := C.CString(folder+"/file"), C.CString(folder+"/link")
	for range 20 {
		fmt.Println(C.change(name), C.follow(to), C.cut(name), C.whole(to), C.space(name))
	}
	watch.Process.Kill()
	syscall.Unmount(folder, syscall.MNT_DETACH)
	os.Remove(folder)
}
