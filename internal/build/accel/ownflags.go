package accel

import (
	"slices"
	"strings"
)

// Users' flags are about users' C. Wherry's own meets names that they define, warnings that
// they make errors, headers of theirs that are called as the system's are, registers that they
// give away (-fcall-used-rbx). So it takes only those flags that say what it is compiled for, with
// which C library, and how hardened; what it does not know is none of these.

// ownKept are how these begin. What follows most may be a word of its own.
var ownKept = []string{
	"-m", "--target", "-target", "-specs", "--specs", "-B", "--gcc-toolchain", "--gcc-install-dir", "--config", "-resource-dir", // for what
	"--sysroot", "-isysroot", "-isystem", "-idirafter", "-nostdinc", "-pthread", // with which C library
	"-fstack-protector", "-fno-stack-protector", "-fstack-clash-protection", "-fcf-protection", "-fzero-call-used-regs",
	"-ftrivial-auto-var-init", "-fno-omit-frame-pointer", "-fno-sanitize", // how hardened
	"-DWHERRY_", // what is meant for it
}

// ownDropped are how flags begin that only look so: the syntax of assembly, and profiling.
var ownDropped = []string{"-masm", "-mfentry", "-mnop-mcount", "-mrecord-mcount"}

// flagsWithWord are those of the flags that are kept, and those whose word looks like a flag, that the next
// word belongs to.
var flagsWithWord = strings.Fields("-I -B -isystem -idirafter -isysroot -target -resource-dir -mllvm --sysroot --target " +
	"--gcc-toolchain --config -Xclang -Xassembler -Xlinker -Xpreprocessor --param")

// OwnFlags are those of a user's flags that wherry's own C is compiled with.
func OwnFlags(flags []string) (own []string) {
	hasPrefix := func(word string) func(string) bool {
		return func(prefix string) bool { return strings.HasPrefix(word, prefix) }
	}
	for i := 0; i < len(flags); i++ {
		flag := flags[i : i+1]
		if slices.Contains(flagsWithWord, flags[i]) && i+1 < len(flags) {
			i++
			flag = flags[i-1 : i+1]
		}
		// In these folders is looked last: a user's link.h is not the system's.
		if folder, ok := strings.CutPrefix(strings.Join(flag, ""), "-I"); ok {
			own = append(own, "-idirafter", folder)
			continue
		}
		if slices.ContainsFunc(ownKept, hasPrefix(flag[0])) && !slices.ContainsFunc(ownDropped, hasPrefix(flag[0])) {
			own = append(own, flag...)
		}
	}
	return own
}
