/* SPDX-License-Identifier: MIT */
/*
 * lin.h - histories of calls made at the same time, judged by the search for an order.
 *
 * The programs lin-*.c make many short rounds.  In each, threads, processes or signal handlers that
 * are started by a barrier make a few calls on one description; each call is noted with the
 * instants of its begin and end and with what it returned.  After it the history must have an order
 * that the model of an open file description (model.h) explains, with what is then in the file.
 *
 * A cell of the model is one byte of the file: 0 where nothing was written, 1 + i what cell i had
 * at the start, from VALUES on what the calls write, each a value of its own.
 *
 * Not asked, because the kernel does not promise it: pread and pwrite beside calls on f_pos, data of
 * descriptions opened twice, and a close beside a call on the same number (see lin-numbers.c).
 */
#ifndef RACE_LIN_H
#define RACE_LIN_H

#include <sys/mman.h>
#include "race/race.h"
#include "model.h"

/* At most LIN_MOST calls are made in a round.  None brings offset or size further than STEP, so
 * that all stays within the model's cells. */
enum { LIN_MOST = M_CALLS - 2, CELLS = 20, STEP = 2, VALUES = 100, SEEK_MOST = 30 };
_Static_assert(SEEK_MOST + LIN_MOST * STEP <= M_CELLS, "room");
enum { ACTORS = 4, PLANNED = 12 };

/* In a plan also: what is done to others.  `number` is the actor. */
enum { DO_KICK = M_OPS, DO_ALARM, DO_FORK, DO_CANCEL, DO_KILL, DO_STOP, DO_CONT };

struct lin_call {
	struct m_call m;
	unsigned char bytes[M_MOST];
	char jumped; /* left by a jump at m.end: it was done by then, or never */
};

struct plan {
	int n;
	_Atomic int next;
	struct m_call call[PLANNED];
	unsigned char pause[PLANNED];
};

struct round {
	int file;	   /* which of the files it is made in */
	int fd[M_NUMBERS]; /* the descriptors of the model's numbers */
	int at, flags;	   /* of the description, in the end */
	struct model start;
	_Atomic int calls;
	struct lin_call call[M_CALLS];
	struct plan plan[ACTORS], handler[ACTORS];
};

/* What the processes share.  Threads go through BATCH rounds between two barriers, because a barrier
 * takes long where other programs run. */
enum { BATCH = 16 };
struct lin {
	struct meeting start, finish;
	_Atomic int stop;
	_Atomic unsigned place[ACTORS]; /* the round that an actor is at */
	struct round round[BATCH];
};

/* Every other round is made in a file on the disk, the others in files on tmpfs. */
static const char *lin_path[BATCH];
static unsigned lin_batch = BATCH;

static struct lin *lin;
static _Atomic unsigned long lin_jumps, lin_handled, lin_lost;
static __thread struct round *volatile my_round; /* NULL: between the rounds */
static __thread int my_actor;

/* The kernel vouches for CLOCK_MONOTONIC between processors.  What stands before the look at the
 * clock is to be done before it, and what stands behind, after. */
MAYBE uint64_t instant(void)
{
	struct timespec t;

	atomic_thread_fence(memory_order_seq_cst);
#if defined(__x86_64__)
	__builtin_ia32_lfence();
#endif
	clock_gettime(CLOCK_MONOTONIC, &t);
#if defined(__x86_64__)
	__builtin_ia32_lfence();
#endif
	atomic_thread_fence(memory_order_seq_cst);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

MAYBE uint16_t cell_of(unsigned char byte)
{
	return byte && byte < VALUES ? (uint16_t)(1000 + byte - 1) : byte;
}

MAYBE void cells_seen(uint16_t *seen, const unsigned char *bytes, int n)
{
	for (int i = 0; i < n; i++)
		seen[i] = cell_of(bytes[i]);
}

MAYBE long call_make(const struct round *r, struct lin_call *c)
{
	int fd = r->fd[c->m.number];

	switch (c->m.op) {
	case M_READ:
		return read(fd, c->bytes, (size_t)c->m.count);
	case M_WRITE:
		memset(c->bytes, c->m.value, (size_t)c->m.count);
		return write(fd, c->bytes, (size_t)c->m.count);
	case M_LSEEK:
		return lseek(fd, c->m.at, c->m.whence);
	case M_SET_APPEND:
		return fcntl(fd, F_SETFL, O_RDWR | (c->m.count ? O_APPEND : 0));
	case M_DUP2:
		return dup2(fd, r->fd[c->m.onto]);
	case M_CLOSE:
		return close(fd);
	case M_OPEN: /* the lowest number is that one, then */
		return open(lin_path[r->file], O_RDWR | O_CLOEXEC) == fd ? 0 : -1;
	default:
		fail("no call of ours: %d", c->m.op);
	}
}

static long (*lin_make)(const struct round *, struct lin_call *) = call_make;

/* Makes the call and notes it; async-signal-safe.  A call without a begin was not made. */
MAYBE void lin_do(struct round *r, int thread, const struct m_call *planned)
{
	int i = atomic_fetch_add(&r->calls, 1);
	struct lin_call *c = &r->call[i];
	long got;

	if (i >= LIN_MOST)
		return;
	c->m = *planned;
	c->m.thread = thread;
	c->m.end = UINT64_MAX;
	memset(c->bytes, 0xff, sizeof c->bytes);
	c->m.begin = instant();
	got = lin_make(r, c);
	c->m.result = got < 0 ? -errno : (int)got;
	c->m.end = instant();
	if (c->m.op == M_READ)
		cells_seen(c->m.seen, c->bytes, got > 0 ? (int)got : 0);
	if (c->m.op == M_DUP2 && got == r->fd[c->m.onto])
		c->m.result = c->m.onto;
}

/* ---- plans ---- */

static uint64_t lin_rng;
static unsigned next_value;

MAYBE unsigned dice(unsigned sides)
{
	return rnd(&lin_rng) % sides;
}

MAYBE struct m_call planned_seek(void)
{
	struct m_call c = {.op = M_LSEEK, .whence = SEEK_CUR};

	switch (dice(8)) {
	case 0:
	case 1:
		c.whence = SEEK_SET;
		c.at = (int)dice(SEEK_MOST + 1);
		break;
	case 2:
		c.whence = SEEK_END;
		c.at = (int)dice(6) - 3;
		break;
	case 3:
		c.at = (int)dice(9) - 6;
		break;
	default:
		break;
	}
	return c;
}

MAYBE struct m_call planned_call(int appends)
{
	unsigned what = dice(100);
	struct m_call c = {.op = M_READ, .count = 1 + (int)dice(3)};

	if (what >= 95 && appends)
		c = (struct m_call){.op = M_SET_APPEND, .count = (int)dice(2)};
	else if (what >= 65)
		c = planned_seek();
	else if (what >= 35)
		c = (struct m_call){.op = M_WRITE,
				    .count = 1 + (int)dice(STEP),
				    .value = (uint16_t)(VALUES + next_value++)};
	c.number = (int)dice(2);
	return c;
}

/* n calls; some toggle O_APPEND, if the round has such. */
MAYBE void plan_make(struct plan *p, int n, int appends)
{
	p->n = n;
	p->next = 0;
	for (int i = 0; i < n; i++) {
		p->call[i] = planned_call(appends);
		p->pause[i] = (unsigned char)(dice(3) ? 0 : dice(30));
	}
}

/* In the place of a call of the plan: something that is done to another. */
MAYBE void plan_add(struct plan *p, int what, int actor)
{
	unsigned i = dice((unsigned)p->n);

	p->call[i] = (struct m_call){.op = (enum m_op)what, .number = actor};
}

/* What a program does for the plan's other things. */
static void (*lin_special)(struct round *, int what, int actor);

MAYBE void plan_run(struct round *r, int thread)
{
	struct plan *p = &r->plan[thread];

	my_actor = thread;
	my_round = r;
	for (; p->next < p->n; p->next++) {
		struct m_call *c = &p->call[p->next];

		for (int i = 0; i < p->pause[p->next]; i++)
			relax();
		if ((int)c->op < M_OPS)
			lin_do(r, thread, c);
		else
			lin_special(r, (int)c->op, c->number);
	}
	my_round = NULL;
}

/* A handler does the next call that is planned for it.  It may come late, between the rounds. */
MAYBE void handler_do(void)
{
	struct round *r = my_round;
	struct plan *p = r ? &r->handler[my_actor] : NULL;
	int saved = errno;

	if (p && p->next < p->n) {
		lin_do(r, 10 + my_actor, &p->call[p->next++]);
		atomic_fetch_add(&lin_handled, 1);
	}
	errno = saved;
}

#include "race/lin-judge.h"
#include "race/lin-round.h"
#include "race/lin-alarm.h"

#endif
