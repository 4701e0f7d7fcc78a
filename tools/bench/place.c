/* SPDX-License-Identifier: MIT */
/* The data in a folder: a hot file to read, one to write, and many small ones. */
#include "bench.h"
#include "data.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* A container's /dev/shm may be small. */
static size_t hot_size(const char *folder)
{
	struct statvfs v;
	size_t size = HOT_SIZE;

	if (statvfs(folder, &v))
		return size;
	while (size > HOT_BLOCK && size > v.f_bavail * v.f_frsize / 8)
		size /= 2;
	return size;
}

/*
 * The pieces matter: the page cache keeps what was written at once in one large folio, and a
 * file system with buffer heads (ext4) walks all of the folio's buffers at each later write
 * into it, which made a write of 4 KiB twice as long.  So the file to write is made by such
 * writes.
 */
static bool fill(const char *path, size_t size, size_t piece)
{
	static char bytes[1 << 20];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool ok = fd >= 0;

	memset(bytes, 's', sizeof(bytes));
	while (ok && size) {
		ok = write(fd, bytes, piece) == (ssize_t)piece;
		size -= piece;
	}
	/* Blocks that are not allocated yet would be, in the middle of somebody's slice. */
	return ok && !fsync(fd) && !close(fd);
}

static bool fill_small(const char *path)
{
	char bytes[SMALL_SIZE] = "small";
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	return fd >= 0 && write(fd, bytes, sizeof(bytes)) == sizeof(bytes) && !close(fd);
}

bool place_prepare(const struct place *p)
{
	size_t size = hot_size(p->folder);
	char path[4096];
	bool ok;

	snprintf(path, sizeof(path), "%s/hot", p->folder);
	ok = fill(path, size, 1 << 20);
	if (ok) {
		snprintf(path, sizeof(path), "%s/written", p->folder);
		ok = fill(path, size, 4096);
	}
	for (int i = 0; ok && i < SMALL_FILES; i++) {
		if (i % SMALL_PER_FOLDER == 0) {
			snprintf(path, sizeof(path), "%s/%d", p->folder, i / SMALL_PER_FOLDER);
			ok = !mkdir(path, 0700);
		}
		snprintf(path, sizeof(path), SMALL_PATH, p->folder, i / SMALL_PER_FOLDER, i);
		ok = ok && fill_small(path);
	}
	if (!ok)
		perror(path);
	return ok;
}
