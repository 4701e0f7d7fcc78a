/* SPDX-License-Identifier: MIT */
#include "row.h"

static void row(void)
{
	char b[8];
	struct stat st;
	int fd, again;

	make_file("a", ROW_SIZE);
	fd = open("a", O_RDWR);
	CHECK(fd >= 0);
	AT(fd, 0);
	hold(fd, 100);
	again = open("a", O_RDONLY);
	AT(again, 0);
	AT(fd, 104);

	/* a number used again is a new description, whatever the old one left behind */
	GIVES(close(fd), 0);
	GIVES(open("a", O_RDONLY), fd);
	AT(fd, 0);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 0, 4));

	/* a second way in through /proc: its own offset */
	hold(fd, 200);
	snprintf(row_program, sizeof row_program, "/proc/self/fd/%d", fd);
	again = open(row_program, O_RDONLY);
	AT(again, 0);
	hold(again, 300);
	AT(fd, 204);

	/* creation: mode, exclusive, truncation while another descriptor stands in the middle
	 */
	umask(027);
	again = open("new", O_RDWR | O_CREAT | O_EXCL, 0666);
	CHECK(again >= 0 && !fstat(again, &st) && (st.st_mode & 07777) == 0640);
	FAILS(open("new", O_RDWR | O_CREAT | O_EXCL, 0666), EEXIST);
	FAILS(open("none", O_RDONLY), ENOENT);
	FAILS(open("a/b", O_RDONLY), ENOTDIR);
	FAILS(open(".", O_RDWR), EISDIR);
	FAILS(open((char *)1, O_RDONLY), EFAULT);
	hold(fd, 400);
	again = open("a", O_RDWR | O_TRUNC);
	CHECK(again >= 0 && size_of("a") == 0);
	AT(fd, 404);
	GIVES(read(fd, b, 4), 0);
	GIVES(lseek(fd, 0, SEEK_END), 0);

	/* no name at all */
	again = open(".", O_TMPFILE | O_RDWR, 0604);
	if (again >= 0) {
		CHECK(!fstat(again, &st) && (st.st_mode & 07777) == 0600);
		GIVES(write(again, "abcdefgh", 8), 8);
		GIVES(lseek(again, 2, SEEK_SET), 2);
		GIVES(read(again, b, 8), 6);
		CHECK(!memcmp(b, "cdefgh", 6));
		AT(again, 8);
	}

	/* O_APPEND: at 0 until the first write, then behind what was written */
	make_file("a", 1000);
	fd = open("a", O_RDWR | O_APPEND);
	AT(fd, 0);
	hold(fd, 10);
	GIVES(write(fd, "1234", 4), 4);
	AT(fd, 1004);
	GIVES(lseek(fd, 500, SEEK_SET), 500);
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 500, 4));
	GIVES(write(fd, "5678", 4), 4);
	AT(fd, 1008);
	GIVES(lseek(fd, -8, SEEK_CUR), 1000);
	GIVES(read(fd, b, 8), 8);
	CHECK(!memcmp(b, "12345678", 8));
	hold(fd, 20);
	child_receives(fd, 24);
}
