#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; unsigned used; char name[16]; };
{{$part := .Part}}
{{range $k := .Functions}}
static int work{{$k}}(int sum) {
	struct item items[8];
	memset(items, 0, sizeof items);
	for (int i = 0; i < 8; i++) {
		items[i].key = (i * {{$part}} + {{$k}}) % 8;
		snprintf(items[i].name, sizeof items[i].name, "%d of %d", i, {{$k}});
	}
	for (int i = 1; i < 8; i++)
		for (int j = i; j > 0 && items[j].key < items[j - 1].key; j--) {
			struct item other = items[j];
			items[j] = items[j - 1];
			items[j - 1] = other;
		}
	for (int i = 1; i < 8; i++)
		if (items[i].key < items[i - 1].key || strlen(items[i].name) > 15)
			abort();
	return sum + {{$k}};
}
{{end}}
int part{{.Part}}(int sum) {
{{- range $k := .Functions}}
	sum = work{{$k}}(sum);
{{- end}}
	return sum + {{.Added}};
}
