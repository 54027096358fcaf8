package traffic

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Processes finds the sockets of a process and of those that it started.
type Processes struct {
	root   int
	known  []int
	looks  int
	hidden map[int]string
}

// ProcessesOf begins with one process.
func ProcessesOf(pid int) *Processes {
	return &Processes{root: pid, known: []int{pid}, hidden: map[int]string{}}
}

// Sockets returns the inodes of their sockets. Looking for new processes costs
// more than looking at known ones, so it happens at every tenth call.
func (p *Processes) Sockets() map[uint32]bool {
	if p.looks%10 == 0 {
		p.known = descendants(p.root)
	}
	p.looks++
	inodes := map[uint32]bool{}
	for _, pid := range p.known {
		dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrPermission) {
			p.hide(pid)
			continue
		}
		if err != nil {
			continue // it has ended
		}
		delete(p.hidden, pid)
		for _, e := range entries {
			target, err := os.Readlink(filepath.Join(dir, e.Name()))
			if err != nil {
				continue
			}
			var inode uint32
			if _, err := fmt.Sscanf(target, "socket:[%d]", &inode); err == nil {
				inodes[inode] = true
			}
		}
	}
	return inodes
}

// hide notes a process that may not be looked at.
func (p *Processes) hide(pid int) {
	if p.hidden[pid] != "" {
		return
	}
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	// One that is ending, or that its parent has not waited for, belongs to root
	// and has no memory.
	memory, err := os.ReadFile(filepath.Join(dir, "statm"))
	if err != nil || bytes.HasPrefix(memory, []byte("0 ")) {
		return
	}
	name, err := os.ReadFile(filepath.Join(dir, "comm"))
	if err != nil {
		return // it has ended
	}
	p.hidden[pid] = fmt.Sprintf("%d (%s)", pid, strings.TrimSpace(string(name)))
}

// Hidden returns the processes whose sockets this user may not see: other users',
// and those of files that are setuid or not readable.
func (p *Processes) Hidden() []string {
	return slices.Sorted(maps.Values(p.hidden))
}

// descendants returns a process and those that it started, directly or not.
func descendants(root int) []int {
	children := map[int][]int{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join("/proc", e.Name(), "stat"))
		if err != nil {
			continue
		}
		// pid (name) state parent; the name may contain anything
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if len(fields) < 2 {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
