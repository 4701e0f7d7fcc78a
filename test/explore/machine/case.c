/* SPDX-License-Identifier: MIT */
/* Cases: their names, and how each begins. */
#include "calls.h"
#include "admit.h"
#include "fdtab.h"
#include <stdio.h>
#include <sys/stat.h>

struct model model_at_start;
static const struct explored *current;

/* ---- names ---- */

static const char *const op_names[] = {"read",	 "write",  "set",      "cur",  "end",  "tell",
				       "poke",	 "append", "sendfile", "dup2", "onto", "close",
				       "reopen", "fork",   "dup",      "fstat", "off"};
_Static_assert(sizeof(op_names) / sizeof(*op_names) == OPS, "a name for each");

static const char *const start_names[] = {"new",  "read", "looked", "sought",
					  "ours", "back", "append", "gone"};

const char *case_name(const struct explored *c)
{
	static char name[200];
	int n = snprintf(name, sizeof(name), "%s%s", start_names[c->start % STARTS],
			 c->start >= STARTS ? "+dup" : "");

	for (int i = 0; i < c->threads; i++)
		n += snprintf(name + n, sizeof(name) - (size_t)n, ",%s", op_names[c->op[i]]);
	if (c->handler >= 0)
		n += snprintf(name + n, sizeof(name) - (size_t)n, ",/%s", op_names[c->handler]);
	if (c->timeouts)
		snprintf(name + n, sizeof(name) - (size_t)n, ",~");
	return name;
}

static int find(const char *const *names, int n, const char *name, size_t length)
{
	for (int i = 0; i < n; i++)
		if (strlen(names[i]) == length && !strncmp(names[i], name, length))
			return i;
	return -1;
}
bool case_parse(struct explored *c, const char *name)
{
	size_t length = strcspn(name, ",");
	bool with_dup = length > 4 && !strncmp(name + length - 4, "+dup", 4);

	*c = (struct explored){.handler = -1};
	c->start = find(start_names, STARTS, name, length - (with_dup ? 4 : 0));
	if (c->start < 0)
		return false;
	c->start += with_dup ? STARTS : 0;
	for (name += length; *name; name += length) {
		bool is_handlers = *++name == '/';
		int op;

		name += is_handlers;
		length = strcspn(name, ",");
		if (length == 1 && *name == '~') {
			c->timeouts = 1;
			continue;
		}
		op = find(op_names, OPS, name, length);
		if (op < 0 || (!is_handlers && c->threads == THREADS))
			return false;
		if (is_handlers)
			c->handler = op;
		else
			c->op[c->threads++] = op;
	}
	return c->threads > 0;
}

/* ---- the start, made once and copied back for each run ---- */

enum { KEPT = offsetof(struct hot, slot[32]) };
static struct {
	char hot[KEPT];
	struct kernel kernel;
	struct tls tls[THREADS];
} kept;
static struct block blocks[THREADS - 1];

static void threads_make(void)
{
	memset(blocks, 0, sizeof(blocks));
	count_on(NULL, 0);
	hot.bare = current->threads > 1 ? NULL : &libc_is_single_threaded;
	hot.first_block.next = &blocks[0];
	for (int i = 0; i < THREADS; i++) {
		memset(&threads[i].tls, 0, sizeof(threads[i].tls));
		threads[i].tls.tid = 100 + i;
		threads[i].tls.by_syscall = current->threads > 1;
		threads[i].tls.block = i ? &blocks[i - 1] : &hot.first_block;
	}
	tls = threads[0].tls;
}

static bool made_as_the_model_says(void)
{
	uint16_t seen[M_MOST];

	kernel_start();
	model_start(&model_at_start, 12);
	model_open(&model_at_start, LAST - FIRST_FD);
	kernel.m = model_at_start;
	memset(&hot, 0, KEPT);
	memset(&tls, 0, sizeof(tls));
	fdtab_start();
	threads_make();
	calls_forget();
	do_open(0);
	if (current->start >= STARTS)
		do_dup2(A, B);
	else
		do_open(0);
	do_open(O_APPEND); /* C, so that a write shows whether it came through A or C */
	start_at(current->start % STARTS);
	do_seek(C, 5, SEEK_SET);
	if (current->start >= STARTS)
		do_seek(C, 6, SEEK_SET);
	else
		do_close(B);
	for (struct m_call *c = history + AT_END; c < history + AT_END + calls_of[AT_END]; c++)
		if (model_do(&model_at_start, c, seen) != c->result)
			return false;
	return true;
}

static bool is_device_known(void)
{
	struct stat st;

	return !RAW2(SYS_fstat, LAST, &st) && admit_judge(LAST, &st, true);
}

bool case_begin(const struct explored *c)
{
	current = c;
	case_unjudged();
	if (!made_as_the_model_says() || !is_device_known())
		return false;
	memcpy(kept.hot, &hot, KEPT);
	kept.kernel = kernel;
	for (int i = 0; i < THREADS; i++)
		kept.tls[i] = threads[i].tls;
	return true;
}

static void run_op(int thread)
{
	op_run(current->op[thread]);
}
static void run_handler(void)
{
	in_handler = true;
	op_run(current->handler);
	in_handler = false;
}

void case_rewind(void)
{
	memcpy(&hot, kept.hot, KEPT);
	kernel = kept.kernel;
	for (int i = 0; i < THREADS; i++) {
		threads[i].tls = kept.tls[i];
		if (i)
			blocks[i - 1].spare = NULL;
	}
	calls_forget();
	threads_start(current->threads, run_op, current->handler >= 0 ? run_handler : NULL);
}
