/* SPDX-License-Identifier: MIT */
/* A filter that the program installs itself, in the middle of its work. */
#include "seccomp.h"

/*
 * What the program does not do itself, but somebody who keeps count of threads and processes might.
 */
static void filter_of_others(void)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		REFUSE(SYS_getpid, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_gettid, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_tgkill, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_sigaltstack, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_process_vm_readv, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_readlinkat, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_sched_yield, SECCOMP_RET_KILL_PROCESS),
		REFUSE(SYS_fstatfs, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof f / sizeof *f, f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

static void *thread_inside(void *fd)
{
	char b[4];

	GIVES(lseek(*(int *)fd, 500, SEEK_SET), 500);
	GIVES(read(*(int *)fd, b, 4), 4);
	CHECK(has(b, 500, 4));
	return NULL;
}

/* Threads and children that are made inside. */
static void makes_inside(void)
{
	int fd = held("e", 100);
	pthread_t t;
	pid_t pid = fork();

	if (pid == 0) {
		filter_of_others();
		AT(fd, 104);
		CHECK(!pthread_create(&t, NULL, thread_inside, &fd) && !pthread_join(t, NULL));
		AT(fd, 504);
		pid = fork();
		if (pid == 0) {
			thread_inside(&fd);
			_exit(0);
		}
		ends(pid, 0);
		pid = vfork();
		if (pid == 0)
			_exit(0);
		ends(pid, 0);
		thread_inside(&fd);
		if (!row_by_syscall && daemon(1, 1)) /* the child goes on */
			_exit(1);
		thread_inside(&fd);
		_exit(0);
	}
	ends(pid, 0);
}

static void row(void)
{
	char name[20];
	int fd = held("a", 100), other = held("b", 100);
	const unsigned how[] = {SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_ERRNO | EPERM,
				SECCOMP_RET_ERRNO | ENOSYS};

	GIVES(prctl(PR_SET_NAME, "a row"), 0);
	GIVES(prctl(PR_GET_NAME, name), 0);
	CHECK(!strcmp(name, "a row"));
	FAILS(prctl(PR_SET_SECCOMP, 99, NULL), EINVAL);
	AT(fd, 104);
	for (int i = 0; i < 6; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			int own = held("c", 300), own_other = held("d", 300);

			if (sandbox(how[i / 2], i % 2, 1))
				_exit(77);
			works_inside(own, own_other, 304);
			works_inside(fd, other, 104);
			GIVES(lseek(fd, 104, SEEK_SET), 104);
			GIVES(lseek(other, 104, SEEK_SET), 104);
			CHECK((own = open("a", O_RDONLY)) >= 0); /* opened inside */
			GIVES(lseek(own, 40, SEEK_SET), 40);
			GIVES(lseek(own, 304, SEEK_SET), 304);
			GIVES(read(own, name, 4), 4);
			CHECK(has(name, 304, 4));
			_exit(0);
		}
		ends(pid, 0);
	}
	makes_inside();
}
