/* SPDX-License-Identifier: MIT */
/* A file out of the kernel's cache, or in it; mincore(2) proves it. */
#include "seqscan.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

long cache_resident(int fd, long size)
{
	long pages = (size + 4095) / 4096, n = 0;
	unsigned char *there = malloc((size_t)pages);
	void *map = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);

	if (!there || map == MAP_FAILED || mincore(map, (size_t)size, there))
		n = -1;
	for (long i = 0; n >= 0 && i < pages; i++)
		n += there[i] & 1;
	if (map != MAP_FAILED)
		munmap(map, (size_t)size);
	free(there);
	return n;
}

static int open_sized(const char *file, long *size)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || st.st_size < 1) {
		perror(file);
		exit(3);
	}
	*size = st.st_size;
	return fd;
}

/* What is just being read cannot be dropped: again, for two seconds. */
long cache_evict(const char *file)
{
	long size, left = 1;
	int fd = open_sized(file, &size);

	fdatasync(fd);
	for (int i = 0; i < 200 && left > 0; i++) {
		if (i)
			usleep(10000);
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		left = cache_resident(fd, size);
	}
	close(fd);
	return left;
}

long cache_fill(const char *file)
{
	static char buf[1 << 20];
	long size, there;
	int fd = open_sized(file, &size);

	while (read(fd, buf, sizeof(buf)) > 0)
		;
	there = cache_resident(fd, size);
	close(fd);
	return there;
}
