/* SPDX-License-Identifier: MIT */
#include "born.h"

static void row(void)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + 128];
	} h = {.handle.handle_bytes = 128};
	int mount, at, fd;

	make_file("a", ROW_SIZE);
	if (name_to_handle_at(AT_FDCWD, "a", &h.handle, &mount, 0))
		SKIP("this file system has no handles");
	at = open(".", O_RDONLY | O_DIRECTORY);
	fd = open_by_handle_at(at, &h.handle, O_RDWR);
	if (fd < 0 && errno == EPERM)
		SKIP("open_by_handle_at needs CAP_DAC_READ_SEARCH");
	born_full(fd);
	born_full(open_by_handle_at(at, &h.handle, O_RDONLY | O_CLOEXEC));
	FAILS(open_by_handle_at(-1, &h.handle, O_RDWR), EBADF);
	h.handle.handle_bytes = 100000;
	FAILS(open_by_handle_at(at, &h.handle, O_RDWR), EINVAL);
}
