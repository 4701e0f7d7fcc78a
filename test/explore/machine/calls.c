/* SPDX-License-Identifier: MIT */
/* The explorer's program: its calls, each noted with when it began and ended, and what it returned. */
#include "calls.h"
#include "process.h"
#include <sys/sendfile.h>
#include <sys/stat.h>

struct m_call history[M_CALLS];
int calls_of[AT_END + 1];
bool in_handler;
static uint64_t now;

void calls_forget(void)
{
	memset(calls_of, 0, sizeof(calls_of));
	in_handler = false;
	now = 0;
}

struct m_call *call_begin(enum m_op op, int fd, const char *name)
{
	int first = running < 0		     ? AT_END
		    : in_handler && !running ? OF_HANDLER
					     : running * OF_THREAD;
	struct m_call *c;

	thread_call_edge(BEGIN, name);
	c = &history[first + calls_of[first]++];
	memset(c, 0, sizeof(*c));
	c->op = op;
	c->number = fd - FIRST_FD;
	c->thread = running;
	c->begin = ++now;
	return c;
}
void call_end(struct m_call *c, long r)
{
	int result = (int)(r == -1 ? -errno : r);

	thread_call_edge(END, "(returns)");
	c->result = result;
	c->end = ++now;
}

static void do_read(int fd)
{
	struct m_call *c = call_begin(M_READ, fd, "read");

	c->count = N;
	call_end(c, read(fd, c->seen, N));
}
static void do_write(int fd)
{
	struct m_call *c = call_begin(M_WRITE, fd, "write");
	uint16_t value = (uint16_t)(100 + (c - history));

	c->count = N;
	c->value = value;
	call_end(c, write(fd, &value, N));
}
/* At a place, and so past the library: pwrite is none of its calls. */
static void do_pwrite(int fd, int at)
{
	struct m_call *c = call_begin(M_PWRITE, fd, "pwrite");
	uint16_t value = (uint16_t)(100 + (c - history));

	c->at = at;
	c->count = N;
	c->value = value;
	call_end(c, to_libc(RAW4(SYS_pwrite64, fd, &value, N, at)));
}
void do_seek(int fd, int at, int whence)
{
	struct m_call *c = call_begin(M_LSEEK, fd, "lseek");

	c->at = at;
	c->whence = whence;
	call_end(c, lseek(fd, at, whence));
}
static void do_append(int fd, bool on)
{
	struct m_call *c = call_begin(M_SET_APPEND, fd, "fcntl F_SETFL");

	c->count = on;
	call_end(c, fcntl(fd, F_SETFL, O_RDWR | (on ? O_APPEND : 0)));
}
static void do_sendfile(int fd)
{
	struct m_call *c = call_begin(M_READ, fd, "sendfile");
	int i = (int)(c - history);
	long r;

	c->count = N;
	r = sendfile(SENT_FD + i, fd, NULL, N);
	memcpy(c->seen, kernel_sent[i], sizeof(c->seen));
	call_end(c, r);
}
void do_dup2(int fd, int to)
{
	struct m_call *c = call_begin(M_DUP2, fd, "dup2");
	int r;

	c->onto = to - FIRST_FD;
	r = dup2(fd, to);
	call_end(c, r < 0 ? r : r - FIRST_FD);
}
static void do_dup(int fd)
{
	struct m_call *c = call_begin(M_DUP2, fd, "dup");
	int r = dup(fd);

	c->onto = r < 0 ? 0 : r - FIRST_FD;
	kernel.is_young[c->onto] = false;
	call_end(c, r < 0 ? r : c->onto);
}
void do_close(int fd)
{
	struct m_call *c = call_begin(M_CLOSE, fd, "close");

	call_end(c, close(fd));
}
void do_open(int flags)
{
	struct m_call *c = call_begin(M_OPEN, FIRST_FD, "open");
	int r = open("file", O_RDWR | flags);

	c->count = !!flags;
	c->number = r < 0 ? 0 : r - FIRST_FD;
	kernel.is_young[c->number] = false;
	call_end(c, r < 0 ? r : 0);
}
/* The child reads once, while it is being made: what is its own in the end is not the parent's to know. */
static void do_fork(int fd)
{
	struct m_call *c = call_begin(M_READ, fd, "fork");
	long r;

	c->count = N;
	process_fork_begin(R_fork);
	r = to_libc(RAW3(NR_CHILD_READS, fd, c->seen, N));
	process_fork_end();
	call_end(c, r);
}
static void do_fstat(int fd)
{
	struct stat st;

	thread_call_edge(BEGIN, "fstat");
	fstat(fd, &st);
	thread_call_edge(END, "(returns)");
}

/* ---- operations and starts ---- */

void op_run(int op)
{
	switch (op) {
	case READ_IT:
		do_read(A);
		break;
	case WRITE_IT:
		do_write(A);
		break;
	case SEEK_SET_IT:
		do_seek(A, 7, SEEK_SET);
		break;
	case SEEK_CUR_IT:
		do_seek(A, 1, SEEK_CUR);
		break;
	case SEEK_END_IT:
		do_seek(A, -1, SEEK_END);
		break;
	case TELL_IT:
		do_seek(A, 0, SEEK_CUR);
		break;
	case POKE_AND_TELL:
		do_pwrite(A, 2);
		do_seek(A, 0, SEEK_CUR);
		break;
	case APPEND_IT:
		do_append(A, true);
		do_write(A);
		break;
	case SENDFILE_IT:
		do_sendfile(A);
		break;
	case DUP2_HERE:
		do_dup2(C, A);
		break;
	case DUP2_FROM:
		do_dup2(A, C);
		break;
	case CLOSE_IT:
		do_close(A);
		break;
	case REOPEN_IT: /* with O_APPEND, so that a write shows through which description it came */
		do_close(A);
		do_open(O_APPEND);
		break;
	case DUP_IT:
		do_dup(A);
		break;
	case FORK_IT:
		do_fork(A);
		break;
	case OFF_IT:
		do_off(A);
		break;
	default:
		do_fstat(A);
	}
}

void start_at(int start)
{
	if (start == READ_ONCE)
		do_read(A);
	if (start == LOOKED_AT)
		do_fstat(A);
	if (start >= SOUGHT)
		do_seek(A, 3, SEEK_SET);
	if (start >= HELD)
		do_seek(A, 2, SEEK_SET);
	if (start == HANDED_BACK)
		do_sendfile(A);
	if (start == APPENDING) {
		do_append(A, true);
		do_seek(A, 4, SEEK_SET);
	}
	if (start == LET_GO)
		do_fork(A);
}
