package main

/*
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static long reads(FILE *f, int way) {
	char line[100];
	static char *whole; static size_t size;
	switch (way) {
	case 0: { long sum = 0; for (int i = 0; i < 10; i++) { int c = getc(f); if (c == EOF) return -1; sum += c; } return sum; }
	case 1: if (fread(line, 1, 10, f) != 10) return -1; break;
	case 2: if (fgets(line, sizeof line, f) == NULL) return -1; break;
	default: if (getline(&whole, &size, f) != 10) return -1; memcpy(line, whole, 10);
	}
	long sum = 0;
	for (int i = 0; i < 10; i++) sum += line[i];
	return sum;
}
static int writes(FILE *f, int way, char *text) {
	switch (way) {
	case 0: for (int i = 0; i < 10; i++) if (putc(text[i], f) == EOF) return -1; return 10;
	case 1: return fwrite(text, 1, 10, f);
	default: return fputs(text, f) < 0 ? -1 : 10;
	}
}
*/
import "C"

import (
	"fmt"
	"os"
)

func main() {
	name, mode := C.CString(os.Args[1]), C.CString("w+")
	f := C.fopen(name, mode)
	text := C.CString("012345678\n")
	const n = 30000
	written := 0
	for i := range n {
		written += int(C.writes(f, C.int(i%3), text))
	}
	C.rewind(f)
	sum := 0
	for i := range n {
		sum += int(C.reads(f, C.int(i%4)))
	}
	end := C.reads(f, 2)
	C.fclose(f)
	fmt.Println(written, sum, end)
}
