/* A thread that may make no system call but exit posts a million times. Arguments:
 * "wake" for ordinary posts, or anything; then "lane" for posts in a lane, which are
 * stamped and so go the long way, or "short". */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "wherry_event.h"

int main(int argc, char **argv) {
	uint64_t cells = 64, stride = 128;
	wherry_event_queue *q = (wherry_event_queue *)aligned_alloc(WHERRY_EVENT_ALIGN, 4096 + 2 * cells * stride);
	memset(q, 0, 4096 + 2 * cells * stride);
	q->lanes = argc > 2 ? 1 : 0; q->mask = cells - 1; q->first = 4096; q->next = cells * stride; q->stride = stride; q->max = 64; q->shift = 6;
	q->fd = eventfd(0, EFD_NONBLOCK);
	q->stamp = (uint32_t)stride - 8;
	q->sleep = 8 + WHERRY_EVENT_ASLEEP;
	q->mode = WHERRY_EVENT_MODE_WAIT;
	q->magic = WHERRY_EVENT_MAGIC ^ (uint64_t)(uintptr_t)q;
	int wakes = argc > 1 && argv[1][0] == 'w';
	struct wherry_event_ring *ring = &q->ring[q->lanes];
	uint64_t first = 0;
	if (q->lanes > 0) {
		first = cells;
		ring->cells = (uint64_t)(uintptr_t)q + q->first + q->next;
		ring->mask = q->mask; ring->stride = stride; ring->shift = q->shift;
		ring->tail = ring->head = cells;
		ring->limit = 2 * cells;
		if (argv[2][0] == 's') { q->stamp = 0; ring->room = q->max + 1; }
		wherry_event_thread(q);
	}
	struct sock_filter only[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {4, only};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	uint64_t full = 0, ok = 0;
	for (uint64_t i = 0; i < 1000000; i++) {
		int result = wakes ? wherry_event_post(q, &i, sizeof i) : wherry_event_post_nowake(q, i, &i, sizeof i);
		if (result == 0) ok++;
		else if (result == WHERRY_EVENT_FULL) full++;
		else _exit(1);
		if (i % 100 == 99) __atomic_store_n(&ring->head, ring->tail, __ATOMIC_SEQ_CST); /* as if received */
	}
	_exit(ring->tail - first == ok && ok > 100000 && full > 100000 && q->dropped == full && q->wakeups == 0 ? 0 : 1);
}
