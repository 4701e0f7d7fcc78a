/* SPDX-License-Identifier: MIT */
/* No row of the table: every other name that libc has for the same function, in one mixed
 * history. */
#include "row.h"

off_t __lseek(int, off_t, int);
ssize_t __read(int, void *, size_t);
ssize_t __write(int, const void *, size_t);
int __open(const char *, int, ...);
int __open64(const char *, int, ...);
int __close(int);
int __dup2(int, int);
int __fcntl(int, int, ...);
pid_t __fork(void);

#if defined(__x86_64__) /* no program can be linked with it any more; old ones are */
off_t old_llseek(int, off_t, int);
__asm__(".symver old_llseek, llseek@GLIBC_2.2.5");
#else
#define old_llseek lseek64
#endif

static void row(void)
{
	char b[8];
	int fd, other, st;
	pid_t pid;

	make_file("a", ROW_SIZE);
	CHECK((fd = __open("a", O_RDWR)) >= 0 && (other = __open64("a", O_RDONLY)) >= 0);
	hold(fd, 100);
	GIVES(__lseek(fd, 200, SEEK_SET), 200);
	GIVES(__read(fd, b, 4), 4);
	CHECK(has(b, 200, 4));
	GIVES(lseek64(fd, 4, SEEK_CUR), 208);
	GIVES(__write(fd, "abcd", 4), 4);
	AT(fd, 212);
	GIVES(__lseek(fd, 0, SEEK_END), ROW_SIZE);
	GIVES(lseek64(fd, -8, SEEK_END), ROW_SIZE - 8);
	FAILS(__lseek(fd, -1, SEEK_SET), EINVAL);
	FAILS(lseek64(-1, 0, SEEK_SET), EBADF);
	FAILS(__read(-1, b, 4), EBADF);
	FAILS(__write(-1, b, 4), EBADF);
	GIVES(old_llseek(fd, 300, SEEK_SET), 300);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 300, 4));
	hold(fd, 400);
	GIVES(__dup2(fd, 3000), 3000);
	GIVES(__read(3000, b, 4), 4);
	AT(fd, 408);
	CHECK(__fcntl(fd, F_DUPFD, 3001L) == 3001 &&
	      fcntl64(fd, F_DUPFD_CLOEXEC, 3002L) == 3002);
	AT(3001, 408);
	hold(3002, 500);
	AT(fd, 504);
	GIVES(__close(3000), 0);
	FAILS(__close(3000), EBADF);
	FAILS(__read(3000, b, 4), EBADF);
	GIVES(__close(other), 0);
	CHECK((other = openat64(AT_FDCWD, "a", O_RDONLY)) >= 0);
	AT(other, 0);
	hold(other, 600);
	GIVES(__close(other), 0);
	CHECK((other = open64("a", O_RDONLY)) >= 0);
	AT(other, 0);
	pid = __fork();
	if (pid == 0) {
		receive(fd, 504);
		_exit(0);
	}
	CHECK(waitpid(pid, &st, 0) == pid && st == 0);
	AT(3001, 508);
}
