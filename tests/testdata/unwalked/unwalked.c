#include <pthread.h>
#include <signal.h>

// with_little has a stack for signal handlers on which nothing can be walked.
__attribute__((noinline)) static void *with_little(void *of) {
	static char stack[13 << 10];
	stack_t handlers = {.ss_sp = stack, .ss_size = sizeof stack};
	sigaltstack(&handlers, NULL);
	unsigned *sum = of;
	for (unsigned n = 200 << 20; n-- > 0;)
		*sum = *sum * 29 + (*sum >> 9) + n;
	return NULL;
}

unsigned on_thread(void) {
	pthread_t t;
	unsigned sum = 1;
	pthread_create(&t, NULL, with_little, &sum);
	pthread_join(t, NULL);
	return sum;
}
