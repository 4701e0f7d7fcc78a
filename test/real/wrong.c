// SPDX-License-Identifier: MIT
/* wrong CALL FILE: a call on an offset that test/real/audit-wrong has made wrong (SEEKLESS_TEST_WRONG). */
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include "../test.h"

int main(int argc, char **argv)
{
	const char *call = argc == 3 ? argv[1] : "";
	char b[8] = "abcdefg";
	int fd = open(argv[2], O_RDWR | O_CLOEXEC | (!strcmp(call, "append") ? O_APPEND : 0));
	int other = open(argv[2], O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0 && other >= 0);
	/* The first lseek is the kernel's; the second is followed, and so is the read: the first audited call. */
	CHECK_EQ(lseek(fd, 10, SEEK_SET), 10);
	CHECK_EQ(lseek(fd, 20, SEEK_SET), 20);
	CHECK_EQ(read(fd, b, 4), 4);
	if (!strcmp(call, "read"))
		CHECK_EQ(read(fd, b, 4), 4);
	if (!strcmp(call, "write") || !strcmp(call, "append"))
		CHECK_EQ(write(fd, b, 4), 4);
	if (!strcmp(call, "lseek"))
		CHECK_EQ(lseek(fd, 0, SEEK_CUR), 24);
	if (!strcmp(call, "dup"))
		CHECK(dup(fd) >= 0);
	if (!strcmp(call, "dup2"))
		CHECK_EQ(dup2(other, fd), fd);
	if (!strcmp(call, "fork") && fork() == 0)
		_exit(0);
	if (!strcmp(call, "fdopen"))
		CHECK(fdopen(fd, "r+"));
	if (!strcmp(call, "close"))
		CHECK(!close(fd));
	if (!strcmp(call, "sendfile"))
		CHECK(sendfile(1, fd, NULL, 1) == 1);
	while (wait(NULL) > 0)
		;
	return 0;
}
