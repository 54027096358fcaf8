// Command hardened calls C in all modes, and shows which of its words that can be written are addresses
// of code: their places, from where the file begins in memory.
package main

/*
#cgo CFLAGS: -D_GNU_SOURCE
#include <link.h>
#include <stdio.h>

struct three { long a, b, c; };
static int twice(int n) { return 2 * n; }
static struct three turn(struct three x) { struct three y = {x.c, x.b, x.a}; return y; }
static int sum(int n) { int s = 0; while (n > 0) s += n--; return s; }
extern int inGo(int);
static int back(int n) { return inGo(n); }

typedef struct { unsigned long low, high; char mode[8]; } mapping;
static mapping all[1000];
static int count;

static void read_mappings(void) {
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (count < 1000 && fgets(line, sizeof line, maps) != NULL)
		if (sscanf(line, "%lx-%lx %7s", &all[count].low, &all[count].high, all[count].mode) == 3)
			count++;
	fclose(maps);
}

static int is_code(unsigned long address) {
	for (int i = 0; i < count; i++)
		if (address >= all[i].low && address < all[i].high)
			return all[i].mode[2] == 'x';
	return 0;
}

// The program itself comes first.
static int scan(struct dl_phdr_info *info, size_t size, void *none) {
	(void)size, (void)none;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		unsigned long begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
		for (int n = 0; p->p_type == PT_LOAD && (p->p_flags & PF_W) && n < count; n++) {
			unsigned long low = all[n].low > begin ? all[n].low : (begin + 7) & ~7ul, high = all[n].high < end ? all[n].high : end;
			for (unsigned long at = low; all[n].mode[1] == 'w' && at + 8 <= high; at += 8)
				if (is_code(*(unsigned long *)at))
					printf("%lx\n", at - (unsigned long)info->dlpi_addr);
		}
	}
	return 1;
}

static void show(void) {
	read_mappings();
	dl_iterate_phdr(scan, NULL);
	fflush(stdout);
}
*/
import "C"

import (
	"fmt"
	"os"
)

//wherry:nocallback twice
//wherry:fast sum
//wherry:reentrant back

//export inGo
func inGo(n C.int) C.int { return n + 1 }

func main() {
	if len(os.Args) > 1 {
		C.show()
		return
	}
	fmt.Println(C.twice(2), C.turn(C.struct_three{1, 2, 3}), C.sum(3), C.back(3))
}
