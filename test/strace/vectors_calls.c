/* SPDX-License-Identifier: MIT */
/* For the script vectors: 20 of each vector call at the offset, between two getpriority(). */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char a[8], b[8];
	struct iovec v[2] = {{a, 8}, {b, 8}};
	int fd = argc > 1 ? open(argv[1], O_RDWR) : -1, good = 1;

	for (int i = 1; i < 4; i++)
		good &= lseek(fd, 64 * i, SEEK_SET) == 64 * i && read(fd, a, 8) == 8;
	getpriority(PRIO_PROCESS, 0);
	for (int i = 0; i < 20; i++) {
		good &= readv(fd, v, 2) == 16;
		good &= writev(fd, v, 2) == 16;
		good &= preadv2(fd, v, 2, -1, 0) == 16;
		good &= lseek(fd, 100 * i, SEEK_SET) == 100 * i;
		good &= pwritev2(fd, v, 2, -1, 0) == 16;
	}
	getpriority(PRIO_PROCESS, 0);
	return good ? 0 : 1;
}
