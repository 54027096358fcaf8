package stub

import "fmt"

// A machine is what differs between architectures.
type machine struct {
	arch         string
	ints, floats []string
	load         map[word]string // by size, float and signed
	store        map[word]string
}

var machines = []machine{
	{
		arch: "amd64", ints: []string{"DI", "SI", "DX", "CX", "R8", "R9"}, floats: registers("X%d"),
		load: map[word]string{
			{size: 1}: "MOVBLZX", {size: 2}: "MOVWLZX", {size: 4}: "MOVL", {size: 8}: "MOVQ",
			{size: 1, signed: true}: "MOVBLSX", {size: 2, signed: true}: "MOVWLSX", {size: 4, signed: true}: "MOVL", {size: 8, signed: true}: "MOVQ",
			{size: 4, float: true}: "MOVSS", {size: 8, float: true}: "MOVSD",
		},
		store: map[word]string{
			{size: 1}: "MOVB AX", {size: 2}: "MOVW AX", {size: 4}: "MOVL AX", {size: 8}: "MOVQ AX",
			{size: 4, float: true}: "MOVSS X0", {size: 8, float: true}: "MOVSD X0",
		},
	},
	{
		arch: "arm64", ints: registers("R%d"), floats: registers("F%d"),
		load: map[word]string{
			{size: 1}: "MOVBU", {size: 2}: "MOVHU", {size: 4}: "MOVWU", {size: 8}: "MOVD",
			{size: 1, signed: true}: "MOVB", {size: 2, signed: true}: "MOVH", {size: 4, signed: true}: "MOVW", {size: 8, signed: true}: "MOVD",
			{size: 4, float: true}: "FMOVS", {size: 8, float: true}: "FMOVD",
		},
		store: map[word]string{
			{size: 1}: "MOVB R0", {size: 2}: "MOVH R0", {size: 4}: "MOVW R0", {size: 8}: "MOVD R0",
			{size: 4, float: true}: "FMOVS F0", {size: 8, float: true}: "FMOVD F0",
		},
	},
}

func registers(format string) (names []string) {
	for i := range 8 {
		names = append(names, fmt.Sprintf(format, i))
	}
	return names
}

// fits says why the arguments do not fit into C's registers, or "".
func (m machine) fits(f function) string {
	ints, floats := 0, 0
	for _, p := range f.Params {
		for _, w := range p.words {
			switch {
			case w.unused:
			case w.float:
				floats++
			default:
				ints++
			}
		}
	}
	if ints > len(m.ints) || floats > len(m.floats) {
		return fmt.Sprintf("%d integers and pointers and %d floating-point arguments, but on %s a stub passes %d and %d (strings and slices count twice)",
			ints, floats, m.arch, len(m.ints), len(m.floats))
	}
	return ""
}

// arguments returns what loads the registers.
func (m machine) arguments(f function) (all []argument) {
	params, _, _ := f.layout()
	ints, floats := m.ints, m.floats
	for _, p := range params {
		if p.unused {
			continue
		}
		to := &ints
		if p.float {
			to = &floats
		}
		load := m.load[word{size: p.size, float: p.float, signed: p.signed}]
		all = append(all, argument{load, fmt.Sprintf("%s+%d(FP)", p.name, p.offset), (*to)[0]})
		*to = (*to)[1:]
	}
	return all
}

// result returns the instruction that stores the result, or "".
func (m machine) result(f function) string {
	_, results, _ := f.layout()
	for _, r := range results {
		return fmt.Sprintf("%s, %s+%d(FP)", m.store[word{size: r.size, float: r.float}], r.name, r.offset)
	}
	return ""
}
