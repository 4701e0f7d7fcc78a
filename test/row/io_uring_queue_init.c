/* SPDX-License-Identifier: MIT */
/*
 * io_uring_queue_init.c - liburing sets up a ring by a system call of its own; whatever goes
 * through the ring uses the kernel's offset from then on.
 */
// covers: io_uring_queue_init_params io_uring_queue_init_mem io_uring_setup
#include "row/row.h"
#include <dlfcn.h>

typedef int call(unsigned, void *, void *, void *, size_t);

static void row(void)
{
	static const char *const names[] = {"io_uring_queue_init", "io_uring_queue_init_params",
					    "io_uring_queue_init_mem", "io_uring_setup"};
	static char ring[4096], params[4096], room[65536] __attribute__((aligned(4096)));
	void *handle = dlopen("liburing.so.2", RTLD_NOW | RTLD_GLOBAL);
	int fd, turn = 0, called = 0;
	pid_t pid;
	int st;

	if (!handle)
		SKIP("liburing.so.2 is not there");
	fd = held("file", 1000);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		call *f = (call *)dlsym(RTLD_DEFAULT, names[i]);

		if (!dlsym(handle, names[i]))
			continue; /* of a later version */
		CHECK(f);
		called++;
		/* Each in a process of its own, since one is enough. */
		pid = (fork)();
		if (pid) {
			CHECK(pid > 0 && waitpid(pid, &st, 0) == pid && st == 0);
			continue;
		}
		close(fd);
		fd = held("own", 2000 + turn);
		memset(ring, 0, sizeof ring);
		memset(params, 0, sizeof params);
		if (i == 3)
			f(8, params, NULL, NULL, 0);
		else
			f(8, ring, i ? params : NULL, room, sizeof room);
		CHECK(kernel_offset(fd) == 2004 + turn);
		AT(fd, 2004 + turn);
		GIVES(lseek(fd, 3000, SEEK_SET), 3000);
		GIVES(lseek(fd, 3001, SEEK_SET), 3001);
		CHECK(kernel_offset(fd) == 3001);
		_exit(0);
	}
	CHECK(called >= 2);
}
