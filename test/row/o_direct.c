/* SPDX-License-Identifier: MIT */
/* No row of the table: O_DIRECT, which has its own opinion on offsets, lengths and buffers. As
 * a twin. */
#include "row.h"

static char b[16384] __attribute__((aligned(4096))), c[16384] __attribute__((aligned(4096)));

static void row(void)
{
	const struct {
		off_t at;
		size_t skip, n;
	} tries[] = {
		{0, 0, 4096},	  {4096, 0, 4096},  {4096, 512, 4096},	   {512, 0, 512},
		{512, 0, 4096},	  {100, 0, 512},    {0, 0, 100},	   {0, 1, 512},
		{65536, 0, 4096}, {61440, 0, 8192}, {65536 + 512, 0, 512}, {70000, 0, 512},
		{0, 4, 512},
	};
	int fd, twin;

	make_file("a", ROW_SIZE);
	make_file("b", ROW_SIZE);
	fd = open("a", O_RDWR | O_DIRECT);
	if (fd < 0)
		SKIP("this file system has no O_DIRECT");
	twin = twin_of("b", O_RDWR | O_DIRECT);
	for (int turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
			off_t at = tries[i].at;
			char *p = b + tries[i].skip, *q = c + tries[i].skip;

			SAME(lseek(fd, at, SEEK_SET), RAW(SYS_lseek, twin, at, SEEK_SET));
			if (turn == 1) {
				fill(p, at + i, tries[i].n);
				memcpy(q, p, tries[i].n);
				SAME(write(fd, p, tries[i].n),
				     RAW(SYS_write, twin, q, tries[i].n));
			} else {
				SAME(read(fd, p, tries[i].n),
				     RAW(SYS_read, twin, q, tries[i].n));
				CHECK(!memcmp(b, c, sizeof b));
			}
			SAME(lseek(fd, 0, SEEK_CUR), kernel_offset(twin));
			CHECK(size_of("a") == size_of("b"));
		}
	/* the flag set and cleared while we hold the offset */
	fd = held("c", 100);
	GIVES(fcntl(fd, F_SETFL, O_DIRECT), 0);
	GIVES(lseek(fd, 4096, SEEK_SET), 4096);
	GIVES(read(fd, b, 4096), 4096);
	CHECK(has(b, 4096, 4096));
	GIVES(fcntl(fd, F_SETFL, 0), 0);
	AT(fd, 8192);
	child_receives(fd, 8192);
}
