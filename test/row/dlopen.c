/* SPDX-License-Identifier: MIT */
/* A library whose calls go past the shim: from its loading on the kernel holds every offset. */
#include "row.h"
#include <dlfcn.h>

static void row(void)
{
	int fd = held("a", 100);
	void *plain = dlopen("libc.so.6", RTLD_NOW), *deep;
	ssize_t (*past)(int, void *, size_t);
	char b[4];

	CHECK(plain && !dlopen("/nowhere/at/all.so", RTLD_NOW) && dlerror());
	GIVES(read(fd, b, 4), 4);
	CHECK(has(b, 104, 4));
	deep = dlopen("libdl.so.2", RTLD_NOW | RTLD_DEEPBIND);
	CHECK(deep);
	CHECK(kernel_offset(fd) == 108);
	*(void **)&past = dlsym(plain, "read"); /* as such a library would find it */
	CHECK(past(fd, b, 4) == 4 && has(b, 108, 4));
	AT(fd, 112);
	GIVES(lseek(fd, 300, SEEK_SET), 300);
	CHECK(kernel_offset(fd) == 300);
}
