// SPDX-License-Identifier: MIT
/* ends WAY FILE: seeks and reads, and ends in one of many ways, for test/real/at-exit. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "../test.h"

static int fd;
static bool reads_in_destructor;

static void seek_and_read(void)
{
	char b[4];

	for (int i = 0; i < 10; i++) {
		CHECK_EQ(lseek(fd, 10 * i, SEEK_SET), 10 * i);
		CHECK_EQ(read(fd, b, 4), 4);
	}
}

__attribute__((destructor)) static void destructor(void)
{
	if (reads_in_destructor)
		seek_and_read();
}

static void handler(void)
{
	seek_and_read();
}

/* Opens, seeks, reads and closes, in many files of the folder that FILE lies in, as other threads do. */
static void *use_many(void *file)
{
	static int next;
	char path[4096], b[4];

	for (int i = 0; i < 1000; i++) {
		int mine = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED), f;

		snprintf(path, sizeof(path), "%s.%d", (char *)file, mine % 400);
		f = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		CHECK(f >= 0);
		for (int k = 0; k < 5; k++)
			CHECK(lseek(f, k, SEEK_SET) == k && read(f, b, 4) == 0);
		CHECK(!close(f));
	}
	return file;
}

static void wait_for(pid_t pid, int want)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, want << 8);
}

/* Standard error is a pipe: whoever writes more to it waits for its reader. */
static void fill_pipe(void)
{
	static char blanks[65536 - 64];
	size_t n = sizeof(blanks);

	memset(blanks, ' ', n);
	CHECK(write(2, blanks, n) == (ssize_t)n);
}
static void *ends_soon(void *status)
{
	usleep(100 * 1000);
	_exit((int)(long)status);
}
static void *ends_all(void *status)
{
	_exit((int)(long)status);
}

static void *returns(void *unused)
{
	usleep(50000);
	return unused;
}

/* One that kills for what a report takes. */
static void filter(bool by_syscall)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_readlinkat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog p = {sizeof(f) / sizeof(*f), f};

	CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (by_syscall)
		CHECK(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &p));
	else
		CHECK(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p));
}

static int in_libc(const char *way)
{
	pthread_t t;

	if (!strcmp(way, "exit"))
		exit(7);
	if (!strcmp(way, "_exit"))
		_exit(7);
	if (!strcmp(way, "_Exit"))
		_Exit(7);
	if (!strcmp(way, "quick_exit")) {
		at_quick_exit(handler);
		quick_exit(7);
	}
	if (!strcmp(way, "atexit"))
		atexit(handler);
	if (!strcmp(way, "destructor"))
		reads_in_destructor = true;
	if (!strcmp(way, "exit_group"))
		syscall(SYS_exit_group, 7);
	if (!strcmp(way, "last-thread")) {
		CHECK(!pthread_create(&t, NULL, returns, NULL));
		pthread_exit(NULL);
	}
	for (int i = 0; !strcmp(way, "two-threads") && i < 2; i++)
		CHECK(!pthread_create(&t, NULL, ends_all, (void *)7));
	if (!strcmp(way, "two-threads"))
		pause();
	if (!strcmp(way, "slow-reader")) {
		fill_pipe();
		CHECK(!pthread_create(&t, NULL, ends_soon, (void *)7));
	}
	return 7;
}

static int by_signal(const char *way)
{
	if (!strcmp(way, "kill"))
		raise(SIGKILL);
	if (!strcmp(way, "abort"))
		abort();
	return in_libc(way);
}

static int processes(const char *way)
{
	char *words[] = {(char *)"true", NULL};
	pid_t pid;

	if (!strcmp(way, "exec"))
		execvp("true", words);
	if (!strcmp(way, "exec-fails")) {
		CHECK(execv("/nowhere", words) == -1);
		seek_and_read();
	}
	if (!strcmp(way, "fork")) {
		pid = fork();
		if (pid == 0)
			exit(3);
		wait_for(pid, 3);
	}
	if (!strcmp(way, "vfork")) {
		pid = vfork();
		if (pid == 0)
			_exit(3);
		wait_for(pid, 3);
		pid = vfork();
		if (pid == 0) {
			execv("/nowhere", words);
			execv("/bin/true", words);
		}
		wait_for(pid, 0);
	}
	if (!strcmp(way, "daemon")) {
		CHECK(!daemon(1, 0));
		fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
		seek_and_read();
	}
	return by_signal(way);
}

int main(int argc, char **argv)
{
	pthread_t threads[4];

	CHECK(argc == 3);
	fd = open(argv[2], O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	seek_and_read();
	for (int i = 0; !strcmp(argv[1], "many-files") && i < 4; i++)
		CHECK(!pthread_create(&threads[i], NULL, use_many, argv[2]));
	for (int i = 0; !strcmp(argv[1], "many-files") && i < 4; i++)
		CHECK(!pthread_join(threads[i], NULL));
	if (!strncmp(argv[1], "filter", 6)) {
		filter(!strcmp(argv[1], "filter-by-syscall"));
		seek_and_read();
		return 7;
	}
	return processes(argv[1]);
}
