/* SPDX-License-Identifier: MIT */
/* lin-judge.h - is there an order, and what to print where there is none. */
#ifndef RACE_LIN_JUDGE_H
#define RACE_LIN_JUDGE_H

static const char *lin_name;
static uint64_t lin_seed;
static unsigned long lin_rounds, lin_calls;
static struct m_search lin_search;

static const char *const op_names[M_OPS] = {
	[M_READ] = "read",     [M_WRITE] = "write", [M_PREAD] = "pread",
	[M_PWRITE] = "pwrite", [M_LSEEK] = "lseek", [M_SET_APPEND] = "set O_APPEND",
	[M_OPEN] = "open",     [M_CLOSE] = "close", [M_DUP2] = "dup2",
};

MAYBE void call_print(const struct lin_call *c, uint64_t zero)
{
	const struct m_call *m = &c->m;

	printf("%6ld..", (long)(m->begin - zero));
	if (m->end == UINT64_MAX)
		printf("never  ");
	else
		printf("%-6ld ", (long)(m->end - zero));
	printf("%s %d", m->thread >= 10 ? "handler" : "thread ", m->thread % 10);
	printf(" fd %d: %s", m->number, op_names[m->op]);
	if (m->op == M_LSEEK)
		printf(" %s %d",
		       m->whence == SEEK_SET   ? "SET"
		       : m->whence == SEEK_CUR ? "CUR"
					       : "END",
		       m->at);
	else
		printf(" %d", m->op == M_DUP2 ? m->onto : m->count);
	if (m->op == M_WRITE)
		printf(" of %d", m->value);
	printf(m->end == UINT64_MAX ? "" : c->jumped ? ", jumped out" : " = %d", m->result);
	for (int i = 0; m->op == M_READ && i < m->result; i++)
		printf(" %d", m->seen[i]);
	printf("\n");
}

MAYBE int by_begin(const void *a, const void *b)
{
	const struct lin_call *x = a, *y = b;

	return x->m.begin < y->m.begin ? -1 : x->m.begin > y->m.begin;
}

MAYBE void model_print(const char *when, const struct model *m)
{
	printf("%s: ", when);
	for (int i = 0; i < M_OFDS; i++)
		if (m->ofd[i].refs)
			printf("ofd %d at %d%s, ", i, m->ofd[i].at,
			       m->ofd[i].append ? " (O_APPEND)" : "");
	printf("%d cells:", m->size);
	for (int i = 0; i < m->size; i++)
		printf(" %d", m->cell[i]);
	printf("\n");
}

/* Where a part of a round is judged: what it is a part of. */
static struct round *lin_whole;

MAYBE void calls_print(struct lin_call *call, int n)
{
	uint64_t zero = 0;

	qsort(call, (size_t)n, sizeof *call, by_begin);
	for (int i = 0; i < n; i++)
		if (call[i].m.begin)
			call_print(&call[i], zero = zero ? zero : call[i].m.begin);
}

MAYBE void __attribute__((noreturn))
history_fail(struct lin_call *call, int n, const struct model *start, const struct model *want)
{
	printf("%s, round %lu, SEED=%lu: no order explains these %d calls (ns)\n", lin_name,
	       lin_rounds, (unsigned long)lin_seed, n);
	model_print("at the start", start);
	calls_print(call, n);
	if (want)
		model_print("in the end", want);
	if (lin_whole) {
		printf("the whole round:\n");
		calls_print(lin_whole->call, n);
	}
	fail("not linearizable");
}

/* What a call that was jumped out of has returned, if it was done. */
MAYBE struct m_call call_done(const struct lin_call *c)
{
	struct m_call m = c->m;

	m.result = 0;
	if (m.op == M_WRITE)
		m.result = m.count;
	else if (m.op == M_LSEEK)
		m.result = m.at;
	else if (m.op == M_READ)
		while (m.result < m.count && c->bytes[m.result] != 0xff)
			m.result++;
	cells_seen(m.seen, c->bytes, m.op == M_READ ? m.result : 0);
	return m;
}

/* Those that were jumped out of count as done and as not done. */
MAYBE bool history_explains(const struct lin_call *c, int left, struct m_call *out, int n,
			    const struct model *start, const struct model *want)
{
	if (!left)
		return model_explains(&lin_search, start, out, n, want);
	if (!c->m.begin)
		return history_explains(c + 1, left - 1, out, n, start, want);
	out[n] = c->m;
	if (!c->jumped)
		return history_explains(c + 1, left - 1, out, n + 1, start, want);
	if (history_explains(c + 1, left - 1, out, n, start, want))
		return true;
	/* A read that was repeated may have touched its buffer twice (a limit): the end is of the first. */
	for (struct m_call m = call_done(c); m.result >= 0; m.result--) {
		out[n] = m;
		if (history_explains(c + 1, left - 1, out, n + 1, start, want))
			return true;
		if (m.op != M_READ || !shim_is_on())
			break;
	}
	return false;
}

MAYBE int history_size(const struct round *r)
{
	int n = atomic_load(&r->calls);

	return n < M_CALLS ? n : M_CALLS;
}

MAYBE void history_judge(struct round *r, const struct model *want)
{
	struct m_call out[M_CALLS];
	int n = history_size(r);

	if (!history_explains(r->call, n, out, 0, &r->start, want))
		history_fail(r->call, n, &r->start, want);
}

#endif
