/* SPDX-License-Identifier: MIT */
/* A filter as a sandbox has it: read, write and lseek are allowed, what the shim would like to
 * call is not. */
#include "row.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#define REFUSE(nr, how)                                                                        \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), BPF_STMT(BPF_RET | BPF_K, how)

/* how: SECCOMP_RET_KILL_PROCESS, or SECCOMP_RET_ERRNO | error. directly: by
 * syscall(SYS_seccomp). The loader itself needs pread64: a filter that is to be there at start
 * lets it through, or refuses it for what only we would read. */
__attribute__((unused)) static int sandbox(unsigned how, int directly, int with_pread)
{
	struct sock_filter f[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pread64, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, with_pread ? how : SECCOMP_RET_ALLOW),
		REFUSE(SYS_pwrite64, how),
		REFUSE(SYS_preadv, how),
		REFUSE(SYS_pwritev, how),
		REFUSE(SYS_preadv2, how),
		REFUSE(SYS_pwritev2, how),
		REFUSE(SYS_fstatfs, how),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof f / sizeof *f, f};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return directly ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
			: prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

__attribute__((unused)) static void works_inside(int fd, int other, off_t at)
{
	char b[4];
	struct iovec v = {b, 4};

	AT(fd, at);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, at, 4));
	GIVES(lseek(fd, 1000, SEEK_SET), 1000);
	GIVES(lseek(fd, 2000, SEEK_SET), 2000);
	GIVES(readv(fd, &v, 1), 4);
	CHECK(has(b, 2000, 4));
	GIVES(write(other, "abcd", 4), 4);
	GIVES(lseek(other, -4, SEEK_CUR), at);
	GIVES(read(other, b, 4), 4);
	CHECK(!memcmp(b, "abcd", 4));
	GIVES(lseek(other, 0, SEEK_END), ROW_SIZE);
	GIVES(lseek(other, 100, SEEK_SET), 100);
	GIVES(writev(other, &v, 1), 4);
	AT(other, 104);
}
