/* SPDX-License-Identifier: MIT */
#include "row.h"

/* From linux/falloc.h, which has them for the kernel alone. */
struct space_resv {
	int16_t l_type, l_whence;
	int64_t l_start, l_len;
	int32_t l_sysid;
	uint32_t l_pid;
	int32_t l_pad[4];
};
#define FS_IOC_RESVSP _IOW('X', 40, struct space_resv)
#define FS_IOC_UNRESVSP _IOW('X', 41, struct space_resv)
#define FS_IOC_RESVSP64 _IOW('X', 42, struct space_resv)
#define FS_IOC_UNRESVSP64 _IOW('X', 43, struct space_resv)
#define FS_IOC_ZERO_RANGE _IOW('X', 57, struct space_resv)

/* A range at the offset, as XFS had it; the same on a twin of another file. */
static void range(unsigned long request)
{
	struct space_resv r = {.l_whence = SEEK_CUR, .l_start = 6, .l_len = 4000};
	int fd = held("a", 100), twin;

	make_file("b", ROW_SIZE);
	twin = twin_of("b", O_RDWR);
	CHECK(RAW(SYS_lseek, twin, 104, SEEK_SET) == 104);
	SAME(ioctl(fd, request, &r), RAW(SYS_ioctl, twin, request, &r));
	AT(fd, 104);
	for (off_t at = 0; at < 8192; at += 500) {
		char x[500], y[500];
		int reader = twin_of("a", O_RDONLY);

		CHECK(RAW(SYS_pread64, reader, x, 500, at) == 500 &&
		      RAW(SYS_pread64, twin, y, 500, at) == 500);
		CHECK(!memcmp(x, y, 500));
		RAW(SYS_close, reader);
	}
	child_receives(fd, 104);
	GIVES(close(fd), 0);
	RAW(SYS_close, twin);
}

static void row(void)
{
	int fd = held("a", 100), left = -5, p[2];

	GIVES(ioctl(fd, FIONREAD, &left), 0); /* what is left from the offset on */
	CHECK(left == ROW_SIZE - 104);
	AT(fd, 104);
	GIVES(lseek(fd, 50, SEEK_END), ROW_SIZE + 50);
	GIVES(lseek(fd, 100, SEEK_CUR), ROW_SIZE + 150);
	GIVES(ioctl(fd, FIONREAD, &left), 0);
	CHECK(left == -150);
	hold(fd, 200);
	FAILS(ioctl(fd, FIONREAD, (void *)1), EFAULT);
	FAILS(ioctl(fd, TCGETS, &left), ENOTTY);
	FAILS(ioctl(-1, FIONREAD, &left), EBADF);
	AT(fd, 204);
	GIVES(ioctl(fd, FIOCLEX, NULL), 0);
	GIVES(fcntl(fd, F_GETFD), FD_CLOEXEC);
	GIVES(ioctl(fd, FIONCLEX, NULL), 0);
	GIVES(fcntl(fd, F_GETFD), 0);
	AT(fd, 204);
	child_receives(fd, 204);
	GIVES(close(fd), 0);
	CHECK(!pipe(p));
	GIVES(write(p[1], "abc", 3), 3);
	GIVES(ioctl(p[0], FIONREAD, &left), 0);
	CHECK(left == 3);
	GIVES(close(p[0]), 0);

	range(FS_IOC_RESVSP);
	range(FS_IOC_RESVSP64);
	range(FS_IOC_UNRESVSP);
	range(FS_IOC_UNRESVSP64);
	range(FS_IOC_ZERO_RANGE);
}
