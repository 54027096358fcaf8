// The floor: C calls add through a pointer; and as any C program does, by its name, through the dynamic linker's table.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "call/add.h"

int (*volatile address)(int, int) = add;

static int by_pointer(int n) {
	int (*f)(int, int) = address, s = 0;
	for (int i = 0; i < n; i++) s = f(s, 1);
	return s;
}

static int by_name(int n) {
	int s = 0;
	for (int i = 0; i < n; i++) s = add(s, 1);
	return s;
}

int main(int argc, char **argv) {
	if (argc != 3) return 2;
	int n = atoi(argv[2]);
	int (*loop)(int) = strcmp(argv[1], "c") == 0 ? by_name : by_pointer;
	loop(n / 10);
	long long start = thread_ns();
	int sum = loop(n);
	long long took = thread_ns() - start;
	if (sum != n) return 1;
	printf("BenchmarkForeign/way=%s %d %.3f ns/op\n", argv[1], n, (double)took / n);
	return 0;
}
