/* SPDX-License-Identifier: MIT */
/*
 * filebuf.c - C++'s std::filebuf opens by fopen, and then uses the number only; stdio_filebuf::file() hands the
 * stream out, which has no offset but the kernel's.  Without a C++ compiler: the same functions by their names.
 */
// covers: _ZNSt12__basic_fileIcE4fileEv
#include "row/row.h"
#include <dlfcn.h>

enum {
	IN = 8,
	OUT = 16,
	APP = 1,
	TRUNC = 32,
	BEGIN = 0,
	CURRENT = 1,
	FILE_AT = 104
};	       /* of the ABI */
struct place { /* std::fpos<mbstate_t> */
	long off;
	char state[8];
};
static struct {
	void (*make)(void *), (*unmake)(void *);
	void *(*begin)(void *, const char *, int), *(*end)(void *);
	long (*get)(void *, char *, long), (*put)(void *, const char *, long);
	struct place (*seek)(void *, long, int, int);
	int (*fd)(void *);
	FILE *(*file)(void *);
} cpp;

static void *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	CHECK(found);
	return found;
}

#define FILEBUF(name) find("_ZNSt13basic_filebufIcSt11char_traitsIcEE" name)
static void look_up(void)
{
	cpp.make = FILEBUF("C1Ev");
	cpp.unmake = FILEBUF("D1Ev");
	cpp.begin = FILEBUF("4openEPKcSt13_Ios_Openmode");
	cpp.end = FILEBUF("5closeEv");
	cpp.get = FILEBUF("6xsgetnEPcl");
	cpp.put = FILEBUF("6xsputnEPKcl");
	cpp.seek = FILEBUF("7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode");
	cpp.fd = find("_ZNSt12__basic_fileIcE2fdEv");
	cpp.file = find("_ZNSt12__basic_fileIcE4fileEv");
}

static void row(void)
{
	static char filebuf[1024] __attribute__((aligned(16)));
	char b[16];
	FILE *f;
	int fd;

	if (!dlopen("libstdc++.so.6", RTLD_NOW | RTLD_GLOBAL))
		SKIP("libstdc++.so.6 is not there");
	look_up();
	close(held("file", 100));
	cpp.make(filebuf);
	CHECK(cpp.begin(filebuf, "file", IN | OUT));
	fd = cpp.fd(filebuf + FILE_AT);
	for (long at = 30000; at > 20000; at -= 501) {
		CHECK(cpp.seek(filebuf, at, BEGIN, IN | OUT).off == at);
		CHECK(cpp.get(filebuf, b, 9) == 9 && has(b, at, 9));
		CHECK(cpp.seek(filebuf, 0, CURRENT, IN | OUT).off == at + 9);
	}
	CHECK(cpp.seek(filebuf, 500, BEGIN, IN | OUT).off == 500);
	fill(b, 5000, 8);
	CHECK(cpp.put(filebuf, b, 8) == 8);
	CHECK(cpp.seek(filebuf, 600, BEGIN, IN | OUT).off == 600);
	CHECK(file_has("file", 500, 5000, 8));
	CHECK(cpp.get(filebuf, b, 5) == 5 && has(b, 600, 5));
	CHECK(cpp.seek(filebuf, 700, BEGIN, IN | OUT).off == 700);
	AT(fd, 700);

	/* The stream in the program's hands. */
	f = cpp.file(filebuf + FILE_AT);
	CHECK(f && fileno(f) == fd && kernel_offset(fd) == 700);
	CHECK(ftell(f) == 700 && fread(b, 1, 4, f) == 4 && has(b, 700, 4) &&
	      !fseek(f, 800, SEEK_SET));
	AT(fd, kernel_offset(fd));
	CHECK(cpp.seek(filebuf, 900, BEGIN, IN | OUT).off == 900);
	CHECK(kernel_offset(fd) == 900);
	CHECK(cpp.get(filebuf, b, 4) == 4 && has(b, 900, 4));
	CHECK(cpp.end(filebuf));
	FAILS(lseek(fd, 0, SEEK_CUR), EBADF);

	/* A child that shares it, and the number afterwards. */
	CHECK(cpp.begin(filebuf, "file", IN));
	CHECK(cpp.seek(filebuf, 50, BEGIN, IN).off == 50 &&
	      cpp.seek(filebuf, 60, BEGIN, IN).off == 60);
	fd = cpp.fd(filebuf + FILE_AT);
	child_receives(fd, 60);
	CHECK(cpp.end(filebuf));
	CHECK(held("next", 40) == fd);
	AT(fd, 44);
	close(fd);

	/* Appending: libc seeks. */
	CHECK(cpp.begin(filebuf, "file", OUT | APP) && cpp.put(filebuf, "end", 3) == 3 &&
	      cpp.end(filebuf));
	CHECK(size_of("file") == ROW_SIZE + 3);
	/* An offset that is sought there is not where it writes, and not where it stands afterwards. */
	CHECK(cpp.begin(filebuf, "file", OUT | APP));
	fd = cpp.fd(filebuf + FILE_AT);
	CHECK(cpp.seek(filebuf, 10, BEGIN, OUT).off == 10);
	CHECK(cpp.seek(filebuf, 20, BEGIN, OUT).off == 20);
	CHECK(cpp.put(filebuf, "end", 3) == 3 && !((int (*)(void *))FILEBUF("4syncEv"))(filebuf));
	AT(fd, ROW_SIZE + 6);
	CHECK(cpp.end(filebuf) && size_of("file") == ROW_SIZE + 6);
	cpp.unmake(filebuf);
}
