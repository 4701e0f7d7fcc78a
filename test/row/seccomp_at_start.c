/* SPDX-License-Identifier: MIT */
// runs: bare on
/*
 * No row of the table: a filter that is there when the program starts.  A program is started twice
 * under each, without the library and as this one runs: it must print the same and end in the same
 * way, whichever call is refused or killed for.  (Only refused: clone, which the library's trial
 * needs.)
 */
#define ROW_TAKES_NONE /* the programs that it starts may */
#include "seccomp.h"
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>

#define SHOW(call) show(#call, (long)(call))
static void show(const char *what, long result)
{
	char line[200];
	int n = snprintf(line, sizeof line, "%s: %ld, %s\n", what, result,
			 result < 0 ? strerror(errno) : "");

	RAW(SYS_write, 1, line, n);
}

static void show_transfers(const char *name, int flags)
{
	char b[4] = "";
	struct iovec v = {b, 4};
	int fd = open(name, flags);

	SHOW(lseek(fd, 1000, SEEK_SET));
	SHOW(lseek(fd, 2000, SEEK_SET));
	SHOW(read(fd, b, 4));
	SHOW(b[0]);
	SHOW(readv(fd, &v, 1));
	SHOW(b[0]);
	SHOW(preadv2(fd, &v, 1, -1, 0));
	SHOW(lseek(fd, 0, SEEK_CUR));
	SHOW(write(fd, "abcd", 4));
	SHOW(lseek(fd, -4, SEEK_CUR));
	SHOW(writev(fd, &v, 1));
	SHOW(pwritev2(fd, &v, 1, -1, 0));
	SHOW(lseek(fd, -100, SEEK_END));
	SHOW(read(fd, b, 4));
	SHOW(lseek(fd, 0, 99));
	SHOW(lseek(fd, 0, SEEK_CUR));
	SHOW(close(fd));
}

static void *show_in_thread(void *unused)
{
	show_transfers("a", O_RDWR);
	return unused;
}

__attribute__((constructor)) static void show_all(int argc, char **argv)
{
	struct flock *lock = malloc(sizeof *lock);
	struct sigaction action;
	pthread_t t;
	int fd, st, p[2];
	pid_t pid;

	if (argc < 2 || strcmp(argv[1], "show"))
		return;
	show_transfers("a", O_RDWR);
	show_transfers("a", O_RDWR | O_APPEND);
	if (!argv[2] && !pthread_create(&t, NULL, show_in_thread, NULL))
		SHOW(pthread_join(t, NULL));
	SHOW(sigaction(SIGUSR1, NULL, &action));
	SHOW(waitpid(-1, &st, __WALL | WNOHANG)); /* no child that the program has not made */
	fd = open("a", O_RDWR);
	SHOW(lseek(fd, 3000, SEEK_SET));
	SHOW(lseek(fd, 4000, SEEK_SET));
	*lock = (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = 10};
	SHOW(fcntl(fd, F_SETLK, lock));
	SHOW(dup2(fd, 500));
	SHOW(lseek(500, 0, SEEK_CUR));
	CHECK(!pipe(p));
	pid = fork();
	if (pid == 0) {
		SHOW(lseek(fd, 10, SEEK_CUR));
		_exit(3);
	}
	close(p[1]);
	poll(&(struct pollfd){.fd = p[0]}, 1, -1); /* it has ended, should wait be refused */
	SHOW(waitpid(pid, &st, 0) == pid);
	SHOW(kernel_offset(fd));
	SHOW(lseek(fd, 0, SEEK_CUR));
	if (argv[2] && !strcmp(argv[2], "saves"))
		CHECK(counter("take") != 0);
	_exit(3);
}

/* One call, with a third argument between these two. */
static void refuse(int nr, unsigned how, unsigned least, unsigned most)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, least, 0, 2),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, most, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, how),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof f / sizeof *f, f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
		_exit(77);
}

static const struct call {
	const char *name;
	int nr;
	unsigned least, most; /* of the third argument, which is a length */
} calls[] = {
#define CALL(name) {#name, SYS_##name, 0, ~0U}
	{"short pread64", SYS_pread64, 0, 16}, /* the loader reads more */
	{"short read", SYS_read, 0, 16},
	CALL(pwrite64), CALL(preadv), CALL(pwritev), CALL(preadv2), CALL(pwritev2), CALL(fstatfs),
	CALL(statfs), CALL(fstat), CALL(lseek), CALL(fcntl), CALL(gettid), CALL(getpid), CALL(tgkill),
#if __GLIBC_PREREQ(2, 34) /* before, libdl's own look-up cannot do without */
	CALL(futex),
#endif
	CALL(membarrier), CALL(process_vm_readv), CALL(rt_sigaction),
	CALL(rt_sigprocmask), CALL(rt_sigpending), CALL(rt_sigtimedwait), CALL(sigaltstack),
	CALL(sched_yield), CALL(nanosleep), CALL(readlinkat), CALL(getcwd), CALL(prctl), CALL(wait4),
	CALL(kcmp), CALL(readv), CALL(write), CALL(writev), CALL(swapon), CALL(clone),
	/* what a trial does not find out */
	{"pread64 of 4", SYS_pread64, 4, 4}, {"pwrite64 of 4", SYS_pwrite64, 4, 4},
	{"preadv of 1", SYS_preadv, 1, 1}, {"pwritev of 1", SYS_pwritev, 1, 1},
};

/* What the program printed, and how it ended. */
static size_t run_under(const struct call *c, unsigned how, int bare, char *said, size_t room, int *st)
{
	struct rlimit none = {0, 0};
	size_t n = 0;
	int p[2];
	pid_t pid;

	make_file("a", ROW_SIZE);
	CHECK(!pipe(p));
	pid = fork();
	if (pid == 0) {
		if (bare)
			unsetenv("LD_PRELOAD");
		setrlimit(RLIMIT_CORE, &none);
		(dup2)(p[1], 1);
		(dup2)(p[1], 2);
		close(p[0]);
		close(p[1]);
		refuse(c->nr, how, c->least, c->most);
		/* Where a thread meets a futex that fails is chance; one call is nobody's. */
		execl(row_program, row_program, "show",
		      c->nr == SYS_futex ? "alone" : c->nr == SYS_swapon ? "saves" : NULL, NULL);
		_exit(99);
	}
	close(p[1]);
	for (long r; (r = (read)(p[0], said + n, room - n - 1)) > 0;)
		n += (size_t)r;
	close(p[0]);
	said[n] = 0;
	CHECK(waitpid(pid, st, 0) == pid);
	return n;
}

static void row(void)
{
	static const unsigned how[] = {SECCOMP_RET_KILL_PROCESS,     SECCOMP_RET_KILL_THREAD,
				       SECCOMP_RET_ERRNO | EPERM,    SECCOMP_RET_ERRNO | ENOSYS,
				       SECCOMP_RET_ERRNO | EINVAL,   SECCOMP_RET_ERRNO | ESPIPE,
				       SECCOMP_RET_ERRNO | EBADF,    SECCOMP_RET_ERRNO | EACCES,
				       SECCOMP_RET_TRAP,	     SECCOMP_RET_ERRNO | 0};
	static char bare[20000], ours[20000];
	int bare_st, st, bad = 0;

	/* all of them in one setting, some in the others */
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
		for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
			const struct call *c = &calls[i];

			if (strcmp(getenv("ROW_SETTING") ?: "", "plain") && (i + k) % 16)
				continue;
			if ((c->nr == SYS_clone || (c->least && c->most < ~0U)) &&
			    (how[k] & SECCOMP_RET_ACTION) != SECCOMP_RET_ERRNO)
				continue; /* it kills */
			if (c->least && (how[k] & SECCOMP_RET_DATA) % EBADF == 0)
				continue; /* an answer that may be the file's */
			run_under(c, how[k], 1, bare, sizeof bare, &bare_st);
			run_under(c, how[k], 0, ours, sizeof ours, &st);
			if (st == bare_st && (!strcmp(bare, ours) || st == 127 << 8))
				continue; /* 127: the loader itself cannot do without, and says so */
			fprintf(stderr, "%s, filter action %#x: ended with %#x, bare with %#x\n",
				c->name, how[k], st, bare_st);
			for (char *b = bare, *o = ours, *line = b; *b || *o; b++, o++) {
				line = *b == '\n' ? b + 1 : line;
				if (*b == *o)
					continue;
				fprintf(stderr, "    bare: %.*s\n", (int)strcspn(line, "\n"), line);
				fprintf(stderr, "    with: %.60s\n", ours + (line - bare));
				break;
			}
			bad++;
		}
	}
	CHECK_EQ(bad, 0);
}
