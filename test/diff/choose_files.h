/* SPDX-License-Identifier: MIT */
/* Chosen: calls that make and end numbers, change files, or use the offset in a way of their own. */
#ifndef SEEKLESS_DIFF_CHOOSE_FILES_H
#define SEEKLESS_DIFF_CHOOSE_FILES_H

#include "choose.h"

/* ---- numbers ---- */

static long open_flags(long name)
{
	long flags = percent(75) ? O_RDWR : ANY(O_RDONLY, O_WRONLY, O_RDONLY, O_WRONLY | O_RDWR);

	flags |= O_NONBLOCK | (percent(50) ? O_CLOEXEC : 0) | (percent(12) ? O_APPEND : 0) |
		 (percent(4) ? O_TRUNC : 0) | (percent(2) ? O_PATH : 0);
	if (name < FILES)
		flags |= (percent(97) ? O_CREAT : 0) | (percent(2) ? O_EXCL : 0);
	if (name == 9)
		flags |= O_DIRECT;
	return flags;
}

static void choose_open(void)
{
	long name = percent(94) ? a_file() : FILES + below(PATHS - FILES);
	long flags = open_flags(name);

	if (are_enough_open())
		return;
	if (percent(5) && name < 9)
		ADD(ANY(OP_creat, OP_creat64), name);
	else if (flags & O_CREAT || percent(50)) /* the __..._2 forms take no mode */
		ADD(MOSTLY(OP_open, OP_open64, OP___open, OP___open64, OP_openat, OP_openat64,
			   OP_sys_openat, OP_openat2),
		    name, flags);
	else
		ADD(ANY(OP___open_2, OP___open64_2, OP___openat_2, OP___openat64_2), name, flags);
	expect_new();
}

static void choose_close(void)
{
	int fd = a_number();

	ADD(MOSTLY(OP_close, OP___close, OP_sys_close), fd);
	if (nested)
		forget(fd);
}

static void choose_dup(void)
{
	if (are_enough_open())
		return;
	ADD(MOSTLY(OP_dup, OP_sys_dup), a_number());
	expect_new();
}

static int a_target(void)
{
	return percent(50)   ? a_number()
	       : percent(80) ? (int)below(44)
			     : 300 + (int)below(3) + 5000 * percent(10);
}

static void choose_dup2(void)
{
	int fd = a_number(), to = a_target();

	ADD(MOSTLY(OP_dup2, OP___dup2), fd, to);
	if (nested)
		learn(to);
}

static void choose_dup3(void)
{
	int fd = a_number(), to = a_target(), flags = percent(50) ? O_CLOEXEC : percent(90) ? 0 : 7;

	ADD(MOSTLY(OP_dup3, OP_sys_dup3), fd, to, flags);
	if (nested)
		learn(to);
}

static void choose_dupfd(void)
{
	if (are_enough_open())
		return;
	ADD(MOSTLY(OP_dupfd, OP_dupfd64, OP___dupfd, OP_sys_dupfd), a_number(),
	    percent(50) ? F_DUPFD : F_DUPFD_CLOEXEC, percent(90) ? below(44) : -1);
}

static void choose_setfl(void)
{
	int fd = a_number();

	ADD(MOSTLY(OP_fcntl, OP_fcntl64, OP___fcntl, OP_sys_fcntl), fd, F_SETFL,
	    O_NONBLOCK | (percent(50) ? O_APPEND : 0));
	ADD(OP_fcntl, fd, F_GETFL);
}

static void choose_setfd(void)
{
	if (percent(30))
		ADD(OP_ioctl, a_number(), ANY(FIOCLEX, FIONCLEX));
	else
		ADD(MOSTLY(OP_fcntl, OP_fcntl64, OP___fcntl, OP_sys_fcntl), a_number(), F_SETFD,
		    below(2));
}

static void choose_close_range(void)
{
	unsigned first = (unsigned)below(44), last = first + (unsigned)below(4);

	if (percent(20))
		ADD(OP_closefrom, 1000 + below(6000));
	else
		ADD(MOSTLY(OP_close_range, OP_sys_close_range), first, last,
		    percent(60)	  ? 0
		    : percent(90) ? 4 /* CLOSE_RANGE_CLOEXEC */
				  : 64);
}

static void choose_pipe(void)
{
	if (known.count < 10)
		ADD(OP_pipe, 0);
}

static void choose_temporary(void)
{
	if (are_enough_open())
		return;
	switch (below(4)) {
	case 0:
		ADD(ANY(OP_memfd_create, OP_sys_memfd_create), below(2));
		break;
	case 1:
		ADD(OP_unnamed, 0);
		break;
	case 2:
		ADD(OP_shm_open, ANY(O_RDWR, O_RDWR | O_TRUNC, O_RDONLY));
		break;
	default:
		ADD(OP_temporary, below(8));
	}
	expect_new();
}

static void choose_fetched(void)
{
	if (are_enough_open())
		return;
	if (percent(50))
		ADD(OP_by_handle, a_file(), O_RDWR | below(2));
	else
		ADD(OP_fetched, below(2), a_number());
	expect_new();
}

/* ---- files ---- */

static void choose_ftruncate(void)
{
	int fd = a_number();

	/* Holes only: what lies in space that is allocated and not written, ext4 tells by the page cache. */
	if (percent(10))
		ADD(OP_fallocate, fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, below(20000),
		    1 + below(9000));
	else
		ADD(OP_ftruncate, fd, percent(3) ? -1 : percent(2) ? 1L << 34 : below(20000));
	where_now(fd);
}

static void choose_truncate(void)
{
	ADD(OP_truncate, a_file(), below(20000));
}

static void choose_stat(void)
{
	ADD(OP_stat, below(7), a_number());
}

static void choose_unlink(void)
{
	long file = a_file();

	if (percent(30) && file < 5)
		ADD(OP_rename, file, below(5));
	else
		ADD(OP_unlink, file);
}

static void choose_limit(void)
{
	ADD(OP_limit, percent(70) ? -1 : 1000 + below(8000));
}

/* ---- calls that use the offset ---- */

static void choose_sendfile(void)
{
	int to = a_number(), from = a_number();

	ADD(OP_sendfile, below(3), to, from, percent(50) ? below(5000) : -1, below(3000));
	where_now(to);
}

static void choose_copy(void)
{
	int from = a_number(), to = a_number();

	ADD(OP_copy, percent(20), from, percent(30) ? below(5000) : -1, to,
	    percent(30) ? below(5000) : -1, below(3000));
	where_now(from);
}

static void choose_splice(void)
{
	int fd = a_number();
	long at = percent(30) ? below(5000) : -1;

	if (percent(50))
		ADD(OP_splice_from, percent(20), fd, at, below(3000));
	else
		ADD(OP_splice_to, percent(20), fd, at, below(3000), a_seed());
	where_now(fd);
}

static void choose_fionread(void)
{
	if (percent(5))
		ADD(OP_how_many_where, a_number());
	else
		ADD(OP_how_many, percent(20), a_number());
}

static void choose_lock(void)
{
	int how = percent(60) ? F_OFD_SETLK : percent(50) ? F_OFD_GETLK : F_SETLK;
	int type = percent(40) ? F_WRLCK : percent(50) ? F_RDLCK : F_UNLCK;

	if (how == F_OFD_GETLK && type == F_UNLCK)
		type = F_WRLCK;
	if (percent(2))
		ADD(OP_lock_where, a_number(), how);
	else
		ADD(OP_lock, below(3), a_number(), how, type, percent(70) ? SEEK_CUR : SEEK_SET,
		    below(300) - 100, below(200));
}

static void choose_lockf(void)
{
	ADD(ANY(OP_lockf, OP_lockf64), a_number(), ANY(F_TLOCK, F_ULOCK, F_TEST), below(400) - 200);
}

static void choose_print(void)
{
	int fd = a_number();

	if (percent(70))
		ADD(MOSTLY(OP_dprintf, OP___dprintf_chk), fd, a_seed());
	else if (percent(50))
		ADD(OP_vdprintf, below(2), fd, a_seed());
	else
		ADD(OP_print_event, below(3), fd);
	where_now(fd);
}

#endif
