// The lines of this program's own functions, by its debug information as it is and damaged, and
// what zlib has compressed. The Go test knows what is right.

static unsigned long long seed = 1;
static size_t dice(size_t n) {
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (size_t)(seed >> 33) % n;
}

// look_dying expects a dying program to find the lines that a profile has of some addresses.
static void look_dying(const size_t *pcs, size_t n) {
	static char name[1024], other[1024];
	for (size_t i = 0; i < n; i++) {
		source_line l, dying;
		size_t address = pcs[i] - _wherry_traces.bias;
		int found = find_line(address, address, ANY_FILE, &l) && path_of(&l, name, sizeof name);
		expect("found by who dies", find_line_dying(address, pcs, n, &dying) && path_of(&dying, other, sizeof other), found);
		if (found && (l.line != dying.line || strcmp(name, other) != 0))
			printf("%zx is %s:%u to who dies, not %s:%u\n", address, other, dying.line, name, l.line);
	}
}

// print_lines prints the line of each address of the program.
static void print_lines(void) {
	struct object *o = &_wherry_traces.executable;
	static char name[1024];
	source_line l;
	size_t rounds = 0, pcs[MOST_FRAMES] = {0};
	find_line_in(0, 1, 0, &l); // makes the index
	for (size_t pc = (size_t)o->low; pc < (size_t)o->high; pc++) {
		size_t address = pc - _wherry_traces.bias;
		if (find_line(address, address, ANY_FILE, &l) && path_of(&l, name, sizeof name))
			printf("%zx %s %u\n", address, name, l.line);
		pcs[rounds * 7 % MOST_FRAMES] = pc; // in no order
		if (++rounds % 97 == 0)
			look_dying(pcs, rounds < 300 ? 1 : MOST_FRAMES);
	}
}

// damage has lines looked up in copies of the line tables in which some bytes are others. Sanitizers
// find what is read beyond them.
static void damage(int n) {
	size_t low = (size_t)_wherry_traces.executable.low - _wherry_traces.bias;
	size_t code = (size_t)(_wherry_traces.executable.high - _wherry_traces.executable.low);
	bytes b = contents(&_wherry_lines.lines), s = contents(&_wherry_lines.line_strings);
	size_t size = (size_t)(b.end - b.at), strings = (size_t)(s.end - s.at);
	unsigned char *copy = malloc(size), *copied = malloc(strings + 1);
	char name[64];
	long found = 0;
	for (int i = 0; i < n; i++) {
		memcpy(copy, b.at, size), memcpy(copied, s.at, strings);
		for (size_t k = dice(20); k > 0; k--)
			copy[dice(2) ? dice(size) : dice(200)] = (unsigned char)(dice(2) ? dice(256) : dice(2) * 255);
		size_t cut = dice(4) ? size : 1 + dice(size);
		_wherry_lines.lines = (section){.at = copy + size - cut, .size = cut, .whole = 1};
		_wherry_lines.line_strings = (section){.at = copied, .size = dice(4) ? strings : 0, .whole = 1};
		memmove(copy + size - cut, copy, cut);
		_wherry_lines.waypoints = NULL, _wherry_lines.n = 0, _wherry_lines.read = 0;
		for (int k = 0; k < 20; k++) {
			source_line l;
			size_t address = low + dice(code), pcs[] = {low + dice(code) + _wherry_traces.bias, address + _wherry_traces.bias};
			if (k % 2 ? find_line_in(address - dice(100), address + 1 + dice(100), address, &l) : find_line_dying(address, pcs, 2, &l))
				found += 1 + path_of(&l, name, sizeof name);
		}
		if (_wherry_lines.waypoints != NULL)
			munmap(_wherry_lines.waypoints, cut / 8 * sizeof(waypoint) + 1);
	}
	expect("lines are found", found > n, 1);
}

// inflate_all reads a file of pieces: two sizes, what is compressed, what it was.
static void inflate_all(const char *path) {
	FILE *f = fopen(path, "r");
	unsigned sizes[2];
	while (fread(sizes, sizeof sizes, 1, f) == 1) {
		unsigned char *packed = malloc(sizes[0]), *want = malloc(sizes[1] + 1), *got = malloc(sizes[1] + 1);
		expect("a piece", (long)(fread(packed, 1, sizes[0], f) + fread(want, 1, sizes[1], f)), (long)sizes[0] + sizes[1]);
		expect("inflates", inflate(packed, sizes[0], got, sizes[1]), 1);
		expect("is what it was", memcmp(got, want, sizes[1]), 0);
		expect("more is wanted", inflate(packed, sizes[0], got, sizes[1] + 1), 0);
		if (sizes[1] > 0)
			expect("less is wanted", inflate(packed, sizes[0], got, sizes[1] - 1), 0);
		for (int i = 0; i < 300 && sizes[0] < 1 << 15; i++) {
			size_t cut = dice(sizes[0]) + 1, room = dice(sizes[1] + 1);
			unsigned char *damaged = malloc(cut), *to = malloc(room + 1);
			memcpy(damaged, packed, cut);
			for (size_t k = dice(5); k > 0; k--)
				damaged[dice(2) ? dice(cut) : dice(cut < 80 ? cut : 80)] ^= (unsigned char)(1 << dice(8));
			inflate(damaged, cut, to, room);
			free(damaged), free(to);
		}
		free(packed), free(want), free(got);
	}
}

int main(int argc, char **argv) {
	(void)argc;
	world();
	know_executable();
	map_symbols();
	if (strcmp(argv[1], "lines") == 0)
		print_lines();
	else if (strcmp(argv[1], "damage") == 0)
		damage(atoi(argv[2]));
	else
		inflate_all(argv[2]);
	printf("ok\n");
}
