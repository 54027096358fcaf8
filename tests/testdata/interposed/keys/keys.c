#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

extern long next(long);

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int taken, ended;

static void ends(void *data) { ended += *(int *)data == 5; }

__attribute__((constructor)) static void take(void) {
	while (taken < PTHREAD_KEYS_MAX && pthread_key_create(&keys[taken], ends) == 0) taken++;
}

int untouched(void) {
	int none = 0;
	for (int i = 0; i < taken; i++) none += pthread_getspecific(keys[i]) == NULL;
	return none == taken && taken > 900;
}

long visit(long n) {
	long sum = 0;
	for (long i = 0; i < n; i++) sum += next(i);
	return sum;
}

static int data = 5;
static void *calls(void *sum) {
	int before = untouched();
	*(long *)sum = visit(20000);
	if (!before || !untouched()) *(long *)sum = -1;
	pthread_setspecific(keys[0], &data);
	return NULL;
}

long thread(void) {
	long sum = 0;
	pthread_t t;
	if (pthread_create(&t, NULL, calls, &sum) != 0) return -1;
	pthread_join(t, NULL);
	return sum;
}

int ends_seen(void) { return ended; }
