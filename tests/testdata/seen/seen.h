enum { NOTHING, SEGV, CALL, BUS, FPE, ILL, ABRT, QUIT, FILL, DEEP, TWICE = 100, BY_CGO = 200 };
unsigned in_flight(unsigned n, int how), by_cgo(unsigned n, int how), turned(unsigned n, int how), called_back(unsigned n, int how),
	nests(unsigned n, int how), nests_by_cgo(unsigned n, int how), below_qsort(unsigned n, int how), on_threads(unsigned n, int how);
