/* SPDX-License-Identifier: MIT */
/* Whether some order of the calls explains the results, and everything is at rest. */
#include "calls.h"
#include "fdtab.h"
#include <stdio.h>

static const char *at_rest(void)
{
	uint32_t refs[16] = {0};

	if (hot.paused || hot.forks_open)
		return "nobody is to take for ever";
	for (int fd = 0; fd < 32; fd++)
		if (hot.slot[fd] & ~S_FLAGS) {
			if (hot.slot[fd] & (S_CLOSING | S_CHANGING))
				return "a slot is closing or changing for ever";
			refs[slot_ofd(hot.slot[fd]) - hot.at_start]++;
		}
	for (int i = 0; i < 16; i++) {
		const struct ofd *o = &hot.at_start[i];

		if (word_is_marked(o->word))
			return "a mark is left behind";
		if (word_who(o->word))
			return "a call is counted for ever";
		if (hot.off && refs[i] && word_state(o->word) == OURS)
			return "an offset is held, and it is off";
		if (o->refs != refs[i])
			return "references are counted wrongly";
	}
	return NULL;
}

static void look_at_the_end(void)
{
	tls = threads[0].tls;
	for (int fd = A; fd < LAST; fd++)
		if (kernel.m.ofd_of[fd - FIRST_FD] >= 0)
			do_seek(fd, 0, SEEK_CUR);
	fdtab_let_go_all(R_fork);
	for (int fd = A; fd <= LAST; fd++) {
		struct m_call *c = call_begin(M_LSEEK, fd, "");

		c->whence = SEEK_CUR;
		call_end(c, to_libc(RAW3(SYS_lseek, fd, 0, SEEK_CUR)));
	}
	for (int at = 0; at < 24; at += M_MOST) {
		struct m_call *c = call_begin(M_PREAD, LAST, "");

		c->at = at;
		c->count = M_MOST;
		call_end(c, to_libc(RAW4(SYS_pread64, LAST, c->seen, M_MOST, at)));
	}
}

/* Histories that were judged already; most runs differ in nothing that the program sees. */
enum { JUDGED = 1 << 12 };
static uint64_t judged[JUDGED];
unsigned case_histories;
uint64_t case_outcomes;

void case_unjudged(void)
{
	memset(judged, 0, sizeof(judged));
	case_histories = 0;
	case_outcomes = 0;
}

/* The calls that there were, and for each what it returned and which had ended before it began. */
static int gather(struct m_call *all, uint32_t *before)
{
	int n = 0;

	for (int first = 0; first <= AT_END; first += OF_THREAD)
		for (int i = 0; i < calls_of[first]; i++)
			all[n++] = history[first + i];
	for (int i = 0; i < n; i++) {
		before[i] = 0;
		for (int k = 0; k < n; k++)
			before[i] |= (uint32_t)(all[k].end < all[i].begin) << k;
	}
	return n;
}

static uint64_t hash(uint64_t h, const void *what, size_t size)
{
	const unsigned char *b = what;

	for (size_t i = 0; i < size; i++)
		h = (h ^ b[i]) * 0x100000001b3;
	return h;
}

static bool is_judged(const struct m_call *all, const uint32_t *before, int n)
{
	uint64_t h = hash(0xcbf29ce484222325, before, (size_t)n * sizeof(*before));

	for (int i = 0; i < n; i++) {
		h = hash(h, &all[i].number, sizeof(all[i].number));
		h = hash(h, &all[i].result, sizeof(all[i].result));
		h = hash(h, all[i].seen, sizeof(all[i].seen));
	}
	h |= 1;
	for (size_t i = h >> 20, tries = 0; tries < JUDGED / 2; i++, tries++) {
		uint64_t *at = &judged[i % JUDGED];

		if (*at == h)
			return true;
		if (*at)
			continue;
		if (case_histories < JUDGED / 2)
			*at = h;
		break;
	}
	case_histories++;
	case_outcomes += h;
	return false;
}

const char *case_judge(void)
{
	static struct m_search s;
	struct m_call all[M_CALLS];
	uint32_t before[M_CALLS];
	const char *wrong = at_rest();
	int n;

	if (wrong || kernel.stray)
		return wrong;
	look_at_the_end();
	n = gather(all, before);
	if (is_judged(all, before, n) || model_explains(&s, &model_at_start, all, n, NULL))
		return NULL;
	return "no order of the calls gives these results";
}

void case_print_history(void)
{
	static const char *const names[M_OPS] = {"read",   "write", "pread", "pwrite", "lseek",
						 "append", "open",  "close", "dup2"};

	struct m_call all[M_CALLS];
	uint32_t before[M_CALLS];
	int n = gather(all, before);

	for (int i = 0; i < n; i++) {
		const struct m_call *c = &all[i];

		printf("  [%2d,%2d] ", (int)c->begin, (int)c->end);
		if (c->thread >= 0)
			printf("thread %d: ", c->thread);
		printf("%s(%d", names[c->op], c->number + FIRST_FD);
		if (c->op == M_LSEEK)
			printf(", %d, %s", c->at,
			       c->whence == SEEK_SET   ? "SET"
			       : c->whence == SEEK_CUR ? "CUR"
						       : "END");
		if (c->op == M_DUP2)
			printf(", %d", c->onto + FIRST_FD);
		printf(") = %d", c->result);
		for (int k = 0; k < c->result && (c->op == M_READ || c->op == M_PREAD); k++)
			printf(" %d", c->seen[k]);
		printf("\n");
	}
}
