package traffic

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Processes finds the sockets of a process and of those that it started.
type Processes struct {
	root  int
	known []int
	looks int
}

// ProcessesOf begins with one process.
func ProcessesOf(pid int) *Processes { return &Processes{root: pid, known: []int{pid}} }

// Sockets gives the inodes of their sockets. Looking for new processes costs
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
		if err != nil {
			continue // it has ended, or is another user's
		}
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

// descendants gives a process and those that it started, directly or not.
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
