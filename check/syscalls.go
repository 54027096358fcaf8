package check

import (
	"fmt"

	"github.com/wherrygo/wherry/internal/read/flow"
)

// syscall is a system call in code. Numbers that are not listed are of class
// Syscall: that they do not wait is not known.
func (p *Program) syscall(n *node, finding flow.Finding) {
	calls := x86Calls
	if p.files.Arch.Name() == "arm64" {
		calls = arm64Calls
	}
	c, listed := calls[finding.Number]
	if c == fatalCall {
		n.notes |= 1 << Fatal
		return
	}
	if !listed {
		c = Syscall
	}
	detail := "number unknown"
	if finding.Number >= 0 {
		detail = fmt.Sprintf("number %d", finding.Number)
	}
	n.hazards = append(n.hazards, hazard{class: c, site: finding.Site, detail: detail})
	if !n.from.System {
		n.notes |= 1 << OwnSyscall
	}
}

// fatalCall stands for calls that end the process.
const fatalCall = classes

// From the kernel's tables for the architectures.
var x86Calls = numbers(map[Class][]int64{
	IO: {0, 1, 2, 3, 4, 5, 6, 8, 16, 17, 18, 19, 20, 21, 22, 32, 33, 40, 41, 48, 49, 50, 51, 52, 53, 54, 55, 72, 74, 75, 76, 77, 78, 79,
		80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 217, 233, 254, 257, 258, 262, 263, 264, 267, 268, 269, 275, 276,
		278, 285, 288, 290, 291, 292, 293, 294, 295, 296, 319, 326, 332},
	Block:     {7, 23, 35, 42, 43, 44, 45, 46, 47, 61, 65, 70, 73, 128, 130, 230, 232, 247, 270, 271, 281, 299, 307, 318, 24, 34},
	Lock:      {202},
	Signal:    {13, 14, 15, 37, 38, 62, 131, 200, 234, 297},
	Thread:    {56, 57, 58, 59, 60, 105, 106, 113, 114, 117, 119, 203, 272, 308, 322, 435},
	fatalCall: {231},
})

var arm64Calls = numbers(map[Class][]int64{
	IO: {17, 23, 24, 25, 29, 33, 34, 35, 36, 37, 38, 43, 44, 45, 46, 47, 48, 49, 50, 52, 53, 54, 55, 56, 57, 59, 61,
		62, 63, 64, 65, 66, 67, 68,
		69, 70, 71, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 88, 198, 199, 200, 201, 204, 205, 208, 209, 210, 276, 279, 285, 291},
	Block:     {22, 32, 72, 73, 101, 115, 124, 133, 137, 186, 188, 192, 193, 202, 203, 206, 207, 211, 212, 242, 243, 260, 269, 278, 95},
	Lock:      {98},
	Signal:    {102, 103, 129, 130, 131, 132, 134, 135, 136, 138, 240},
	Thread:    {93, 97, 220, 221, 122, 144, 146, 147, 149, 268, 281, 435},
	fatalCall: {94},
})

func numbers(classes map[Class][]int64) map[int64]Class {
	all := map[int64]Class{}
	for class, list := range classes {
		for _, n := range list {
			all[n] = class
		}
	}
	return all
}
