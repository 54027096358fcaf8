KEEP int not_printf(int x) { return printf("%d\n", x) + 1; }
KEEP int not_snprintf(char *b, int x) { return snprintf(b, 10, "%d %f", x, (double)x) + 1; }
KEEP long not_read(int fd, void *p) { return read(fd, p, 1) + 1; }
