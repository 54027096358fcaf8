// Variables of each thread, of which poll and send are functions of the C library that wait.
__thread int send, other, strlen;
extern __thread int poll;
static __thread int accept;
int connect; // one for all threads
int sum(void) { return send + other + strlen + poll + accept + connect; }
