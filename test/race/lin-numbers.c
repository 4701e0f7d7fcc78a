/* SPDX-License-Identifier: MIT */
/*
 * lin-numbers.c - numbers that change their descriptions by dup2, close and open while other threads
 * make calls on them. See lin.h.
 *
 * A call on a number looks the description up and then uses it, and the kernel promises no order of
 * these two with a close in between: the call may move the offset when the close has long returned.
 * So each history is two: what the calls found at a number, and what was done with the
 * descriptions; each must have an order.  A call's result tells what it found, or the file in which
 * what it wrote is in the end: every description has a file of its own and stays in a part of it of
 * its own, because all calls transfer one cell, tell, or go one on.  Outside the files hold 0.
 *
 * Numbers 0 and 1 stay; 2 is changed by thread 0 alone, 3 by thread 1 alone.  A call on a closed number
 * at the instant in which it gets a description is one of the limits (shim/LIMITS.md): so a number is
 * either used by its own thread only, or is not opened or dup2'ed to again once it is closed.
 */
// may skip: where its threads seldom meet
// runs: bare keep on
#include "race/lin.h"

/* Descriptions; Z is the one that thread 0 opens.  Where each starts: the others are out of reach. */
enum { X, Y, Z, CLOSED };
static const int first[] = {[X] = LIN_MOST + 1, [Y] = 2 * LIN_MOST + 2, [Z] = 0};
_Static_assert(3 * LIN_MOST + 2 < M_CELLS, "room");

static int of_offset(int at)
{
	return at >= first[Y] ? Y : at >= first[X] ? X : Z;
}

/* The parts of the three files, as one. */
static uint16_t cells[M_CELLS];

/* Which description the call found. */
static int found(const struct round *r, const struct m_call *m)
{
	uint16_t value = m->op == M_WRITE ? m->value : m->seen[0];

	if (m->number < 2)
		return m->number;
	if (m->result == -EBADF)
		return CLOSED;
	if (m->op == M_LSEEK && m->result >= 0)
		return of_offset(m->result);
	for (int i = 0; i < M_CELLS && m->result == 1; i++)
		if (cells[i] == value || (value == 1000 + i && m->op == M_READ))
			return of_offset(i);
	history_fail((struct lin_call *)r->call, history_size(r), &r->start, NULL);
}

static bool is_change(const struct m_call *m)
{
	return m->op == M_DUP2 || m->op == M_CLOSE || m->op == M_OPEN;
}

/* A call without a begin is left out by the judge. */
static void judge_number(const struct round *r, int number)
{
	static struct round of;
	const int at[] = {[X] = 10, [Y] = 20, [Z] = 0, [CLOSED] = -EBADF};

	of = *r;
	model_start(&of.start, 0);
	of.start.ofd[X].at = (int16_t)at[X];
	of.start.ofd[Y].at = (int16_t)at[Y];
	of.start.ofd[X].refs = of.start.ofd[Y].refs = 1;
	of.start.ofd_of[0] = X;
	of.start.ofd_of[1] = Y;
	of.start.ofd_of[number] = number == 2 ? X : Y;
	of.start.ofd[number == 2 ? X : Y].refs++;
	for (int i = 0; i < M_CALLS; i++) {
		struct m_call *m = &of.call[i].m;
		int changed = m->op == M_DUP2 ? m->onto : m->number;

		if (!m->begin || changed != number) {
			m->begin = 0;
		} else if (!is_change(m)) {
			m->result = at[found(r, m)];
			m->op = M_LSEEK;
			m->whence = SEEK_CUR;
			m->at = 0;
		}
	}
	history_judge(&of, NULL);
}

static void judge_descriptions(const struct round *r, int at_x, int at_y)
{
	static struct round of;
	struct model want;

	of = *r;
	model_start(&of.start, M_CELLS);
	for (int o = X; o <= Z; o++) {
		model_open(&of.start, o);
		of.start.ofd[o].at = (int16_t)first[o];
	}
	want = of.start;
	memcpy(want.cell, cells, sizeof cells);
	want.ofd[X].at = (int16_t)at_x;
	want.ofd[Y].at = (int16_t)at_y;
	for (int i = 0; i < M_CALLS; i++) {
		struct m_call *m = &of.call[i].m;
		int o = m->begin && !is_change(m) ? found(r, m) : CLOSED;

		if (o == CLOSED)
			m->begin = 0;
		m->number = o;
		want.ofd[Z].at += o == Z && (m->op != M_LSEEK || m->at);
	}
	history_judge(&of, &want);
}

/* ---- the rounds ---- */

static int file_of(unsigned which, int o)
{
	return (int)which * 3 + o;
}

static int last_of(int o)
{
	return o == Y ? M_CELLS : first[o] + LIN_MOST + 1;
}

static void files_start(struct round *r, unsigned which)
{
	r->file = file_of(which, Z);
	file_start(r, M_CELLS);
	for (int o = X; o <= Z; o++) {
		unsigned char bytes[M_CELLS] = {0};

		for (int i = first[o]; i < last_of(o); i++)
			bytes[i] = (unsigned char)(i + 1);
		MUST(pwrite(lin_plain[file_of(which, o)], bytes, M_CELLS, 0) == M_CELLS);
	}
}

static void files_see(unsigned which)
{
	for (int o = X; o <= Z; o++) {
		unsigned char bytes[M_CELLS + 1];

		MUST(pread(lin_plain[file_of(which, o)], bytes, sizeof bytes, 0) == M_CELLS);
		for (int i = 0; i < M_CELLS; i++)
			if (i >= first[o] && i < last_of(o))
				cells[i] = cell_of(bytes[i]);
			else if (bytes[i])
				fail("%s, round %lu, SEED=%lu: %d is in the file of another "
				     "description, at %d",
				     lin_name, lin_rounds, (unsigned long)lin_seed, bytes[i], i);
	}
}

static struct round *numbers_open(unsigned which)
{
	struct round *r = &lin->round[which];

	files_start(r, which);
	for (int o = X; o <= Y; o++) {
		MUST((r->fd[o] = open(lin_path[file_of(which, o)], O_RDWR | O_CLOEXEC)) >= 0);
		for (int i = 2; i >= 0; i--)
			MUST(lseek(r->fd[o], first[o] + i, SEEK_SET) == first[o] + i);
	}
	for (int n = 2; n < 4; n++)
		MUST((r->fd[n] = dup(r->fd[n - 2])) > r->fd[n - 1]);
	return r;
}

/* Of the round that is planned: numbers 2 and 3 are their own threads' only. */
static bool is_private[2];

static struct m_call planned_use(int thread)
{
	struct m_call c = {.op = M_READ, .count = 1};

	do {
		c.number = (int)dice(4);
	} while (c.number >= 2 && is_private[c.number - 2] && thread != c.number - 2);
	if (dice(2))
		return c;
	if (dice(2)) {
		c.op = M_WRITE;
		c.value = (uint16_t)(VALUES + next_value++);
		return c;
	}
	c = (struct m_call){.op = M_LSEEK, .number = c.number, .whence = SEEK_CUR};
	c.at = (int)dice(2);
	return c;
}

/* What its thread does next to the number: is it open, may it be opened? */
static struct m_call planned_change(int number, bool *is_open, bool *may_open)
{
	struct m_call c = {.op = M_DUP2, .number = (int)dice(2), .onto = number};

	if (!*is_open && !is_private[number - 2])
		return planned_use(number - 2);
	if (*is_open && dice(2)) {
		*is_open = false;
		return (struct m_call){.op = M_CLOSE, .number = number};
	}
	if (!*is_open && *may_open && dice(2)) {
		*may_open = false;
		c = (struct m_call){.op = M_OPEN, .number = number};
	}
	*is_open = true;
	return c;
}

static void plan_numbers(struct plan *p, int thread, int n)
{
	bool is_open = true, may_open = thread == 0 && lin_batch == 1;

	plan_make(p, n, 0);
	for (int i = 0; i < n; i++)
		p->call[i] = thread < 2 && !dice(3)
				     ? planned_change(2 + thread, &is_open, &may_open)
				     : planned_use(thread);
}

/* In the place of a call that changes nothing, or the plan would be another one. */
static void alarm_add(struct round *r, unsigned thread)
{
	struct plan *p = &r->plan[thread];
	unsigned i = dice((unsigned)p->n);

	if (!is_change(&p->call[i]))
		p->call[i] = (struct m_call){.op = (enum m_op)DO_ALARM};
}

static void numbers_close(unsigned which)
{
	struct round *r = &lin->round[which];
	int at[2];

	files_see(which);
	lin_whole = r;
	judge_number(r, 2);
	judge_number(r, 3);
	for (int o = X; o <= Y; o++)
		at[o] = (int)lseek(r->fd[o], 0, SEEK_CUR);
	judge_descriptions(r, at[X], at[Y]);
	for (int n = 0; n < 4; n++)
		close(r->fd[n]);
	round_count(r);
}

/* An open takes the lowest number that is free: of one round only. */
static void rounds(unsigned parties, unsigned batch, double part)
{
	lin_batch = batch;
	threads_start(parties);
	while (lin_more(part)) {
		for (unsigned i = 0; i < batch; i++) {
			struct round *r = numbers_open(i);

			is_private[0] = dice(2);
			is_private[1] = dice(2);
			for (unsigned t = 0; t < parties; t++)
				plan_numbers(&r->plan[t], (int)t, parties == 2 ? 11 : 9);
			if (dice(2))
				alarm_add(r, dice(parties));
		}
		batch_run(0);
		for (unsigned i = 0; i < batch; i++)
			numbers_close(i);
	}
	threads_stop();
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_init("lin-numbers", argv);
	lin_special = alarm_special;
	alarms_by(alarm_is_a_stall);
	rounds(2, 1, 0.3);
	rounds(2, BATCH / 3, 0.7);
	rounds(3, BATCH / 3, 1);
	return lin_end(lin_calls / 8);
}
