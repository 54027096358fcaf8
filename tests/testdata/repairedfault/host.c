//go:build ignore

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
static char *page;
static struct sigaction old;
static void handler(int sig, siginfo_t *info, void *context) {
	char *at = info->si_addr;
	if (at >= page && at < page + 4096) mprotect(page, 4096, PROT_READ | PROT_WRITE);
	else old.sa_sigaction(sig, info, context);
}
int main(int argc, char **argv) {
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library == NULL) return 1;
	page = ((char *(*)(void))dlsym(library, "prepare"))();
	struct sigaction own = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &own, &old);
	printf("%ld\n", ((long (*)(void))dlsym(library, "run"))());
	return 0;
}
