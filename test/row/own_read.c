/* SPDX-License-Identifier: MIT */
/* own_read.c - A program with a read, write and lseek of its own, made by syscall(): ours must not call them. */
#include "test.h"
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t read(int fd, void *buf, size_t n)
{
	return syscall(SYS_read, fd, buf, n);
}
ssize_t write(int fd, const void *buf, size_t n)
{
	return syscall(SYS_write, fd, buf, n);
}
off_t lseek(int fd, off_t off, int whence)
{
	return syscall(SYS_lseek, fd, off, whence);
}

int main(void)
{
	char b[4], name[] = "/tmp/own_read.XXXXXX";
	int fd = mkstemp(name);

	CHECK(fd >= 0 && !unlink(name));
	CHECK(write(fd, "abcdefgh", 8) == 8);
	for (int at = 0; at < 4; at++) {
		CHECK(lseek(fd, at, SEEK_SET) == at && read(fd, b, 2) == 2 && b[0] == "abcd"[at]);
		CHECK(lseek(fd, 0, SEEK_CUR) == at + 2);
	}
	return 0;
}
