/* SPDX-License-Identifier: MIT */
/* forker-children.h - how forker.c makes children, and what they do. */
#ifndef RACE_FORKER_CHILDREN_H
#define RACE_FORKER_CHILDREN_H

/* What a child does; it is told by its parent's stack, which it has, or shares. */
struct errand {
	void (*run)(const struct errand *);
	int fd[THREADS];
	int to_child[2], to_parent[2];
	unsigned at;
};

static pid_t child_make(enum kind kind, const struct errand *e)
{
	pid_t pid;

	switch (kind) {
	case FORK:
		pid = fork();
		break;
	case UNDERSCORE_FORK:
		pid = _Fork();
		break;
	case VFORK:
		pid = vfork();
		break;
	default:
		pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	}
	if (pid == 0) {
		e->run(e);
		_exit(0);
	}
	MUST(pid > 0);
	return pid;
}

static void child_wait(pid_t pid)
{
	int status;

	MUST(waitpid(pid, &status, 0) == pid);
	if (status)
		fail("the child ended with status %x", status);
}

static void use_shared(const struct errand *e)
{
	uint64_t rng = 5 + atomic_load(&begun);

	for (unsigned t = 0; t < THREADS; t++)
		for (int i = 0; i < CHILD_CALLS && e->fd[t] >= 0; i++)
			one_call(t, e->fd[t], THREADS, rnd(&rng));
}

/*
 * The descriptors are chosen before the fork: in the child, table and memory are copies of two
 * different moments.
 */
static void child_round(enum kind kind)
{
	struct errand e = {.run = use_shared};

	atomic_fetch_add(&begun, 1);
	for (unsigned t = 0; t < THREADS; t++)
		e.fd[t] = atomic_load(&shared_fd[t]);
	child_wait(child_make(kind, &e));
	atomic_fetch_add(&ended, 1);
}

/* Our turn: we must be at slot `at`; read two, step one back. */
static unsigned turn(int fd, unsigned at, const char *who)
{
	struct rec r;

	if (lseek(fd, 0, SEEK_CUR) != at * REC)
		fail("%s: at %ld, must be %u", who, (long)lseek(fd, 0, SEEK_CUR), at * REC);
	for (unsigned i = 0; i < 2; i++)
		if (read(fd, &r, REC) != REC || !rec_ok(&r) || r.n != at + i)
			fail("%s: read slot %u, must be %u", who, r.n, at + i);
	MUST(lseek(fd, -REC, SEEK_CUR) == (at + 1) * REC);
	return at + 1;
}

/* The child has the first turn; then each waits for the other's. */
static void answer_turns(const struct errand *e)
{
	unsigned at = e->at;

	for (int i = 0; i < 4; i++) {
		at = turn(e->fd[0], at, "child");
		MUST(write(e->to_parent[1], &at, sizeof at) == sizeof at);
		MUST(read(e->to_child[0], &at, sizeof at) == sizeof at);
	}
	MUST(lseek(e->fd[0], 100 * REC, SEEK_SET) == 100 * REC);
}

/* A vfork'ed child has ended before we can take a turn: it has only its last one. */
static void one_turn(const struct errand *e)
{
	turn(e->fd[0], e->at, "vfork child");
	MUST(lseek(e->fd[0], 100 * REC, SEEK_SET) == 100 * REC);
}

static void to_and_fro(enum kind kind)
{
	struct errand e = {.run = kind == VFORK ? one_turn : answer_turns};
	int plain, fd = shared_open(0, 1, 7, &plain);
	unsigned at;
	pid_t pid;

	MUST(pipe(e.to_child) == 0 && pipe(e.to_parent) == 0);
	e.fd[0] = fd;
	e.at = turn(fd, 7, "before");
	pid = child_make(kind, &e);
	for (int i = 0; i < 4 && kind != VFORK; i++) {
		MUST(read(e.to_parent[0], &at, sizeof at) == sizeof at);
		at = turn(fd, at, "parent");
		MUST(write(e.to_child[1], &at, sizeof at) == sizeof at);
	}
	child_wait(pid);
	turn(fd, 100, "after");
	for (int i = 0; i < 2; i++)
		MUST(close(e.to_child[i]) == 0 && close(e.to_parent[i]) == 0);
	MUST(close(fd) == 0 && close(plain) == 0);
}

#endif
