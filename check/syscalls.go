package check

// syscallClass returns the class of a system call by its number, from the
// kernel's tables for the architecture. Numbers that are not listed are of
// class Syscall: that they do not wait is not known.
func syscallClass(arch string, number int64) (class Class, fatal bool) {
	var names map[int64]string
	if arch == "x86-64" {
		names = x86Calls
	} else {
		names = armCalls
	}
	switch names[number] {
	case "io":
		return IO, false
	case "block":
		return Block, false
	case "lock":
		return Lock, false
	case "signal":
		return Signal, false
	case "thread":
		return Thread, false
	case "fatal":
		return Syscall, true
	}
	return Syscall, false
}

var x86Calls = numbers(map[string][]int64{
	"io": {0, 1, 2, 3, 4, 5, 6, 8, 16, 17, 18, 19, 20, 21, 22, 32, 33, 40, 41, 48, 49, 50, 51, 52, 53, 54, 55, 72, 74, 75, 76, 77, 78, 79,
		80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 217, 233, 254, 257, 258, 262, 263, 264, 267, 268, 269, 275, 276,
		278, 285, 288, 290, 291, 292, 293, 294, 295, 296, 319, 326, 332},
	"block":  {7, 23, 35, 42, 43, 44, 45, 46, 47, 61, 65, 70, 73, 128, 130, 230, 232, 247, 270, 271, 281, 299, 307, 318, 24, 34},
	"lock":   {202},
	"signal": {13, 14, 15, 37, 38, 62, 131, 200, 234, 297},
	"thread": {56, 57, 58, 59, 60, 105, 106, 113, 114, 117, 119, 203, 272, 308, 322, 435},
	"fatal":  {231},
})

var armCalls = numbers(map[string][]int64{
	"io": {17, 23, 24, 25, 29, 33, 34, 35, 36, 37, 38, 43, 44, 45, 46, 47, 48, 49, 50, 52, 53, 54, 55, 56, 57, 59, 61,
		62, 63, 64, 65, 66, 67, 68,
		69, 70, 71, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 88, 198, 199, 200, 201, 204, 205, 208, 209, 210, 276, 279, 285, 291},
	"block":  {22, 32, 72, 73, 101, 115, 124, 133, 137, 186, 188, 192, 193, 202, 203, 206, 207, 211, 212, 242, 243, 260, 269, 278, 95},
	"lock":   {98},
	"signal": {102, 103, 129, 130, 131, 132, 134, 135, 136, 138, 240},
	"thread": {93, 97, 220, 221, 122, 144, 146, 147, 149, 268, 281, 435},
	"fatal":  {94},
})

func numbers(classes map[string][]int64) map[int64]string {
	all := map[int64]string{}
	for class, list := range classes {
		for _, n := range list {
			all[n] = class
		}
	}
	return all
}
