/* SPDX-License-Identifier: MIT */
/*
 * Floor 4, operations: the report when the process ends (SEEKLESS_AT_EXIT=report).
 *
 *   exit, and a return from main      a handler of exit.  It is the first that this process registers, from our
 *                                     constructor, and so the last that runs: behind other libraries' destructors
 *   quick_exit                        likewise
 *   _exit, _Exit, exit_group          the entry point
 *   an exec, daemon                   before it; an exec may fail, and then there is a later report
 *   a filter of system calls is set   before it, and that is the last: it may kill for what a report takes
 *   a signal                          none
 */
#include "report.h"
#include "config.h"
#include <time.h>

/* Of libc; declared by no header. */
extern int __cxa_atexit(void (*handler)(void *), void *arg, void *library);
extern int __cxa_at_quick_exit(void (*handler)(void *), void *library);

/* Whose counters these are; a process that was made unseen is another one, and says nothing. */
static long owner;

enum { NOT_YET, BEING_WRITTEN, WRITTEN };
static uint32_t last_one;

static bool is_to_be_written(void)
{
	/* Behind a filter of system calls it is written already, and to ask for our number may be the end. */
	return config.at_exit && !tls.vfork_depth && hot_get(&last_one) != WRITTEN &&
	       RAW0(SYS_getpid) == owner;
}

/* Only one thread, and once; another one that ends the process meanwhile must not cut it off. */
void report_at_end(void)
{
	const struct timespec ms = {0, 1000000};
	uint32_t first = NOT_YET;
	sigmask_t mask;

	if (!is_to_be_written())
		return;
	mask = signals_block();
	if (__atomic_compare_exchange_n(&last_one, &first, BEING_WRITTEN, false, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST)) {
		audit_keep_all();
		report_write();
		report_wait();
		__atomic_store_n(&last_one, WRITTEN, __ATOMIC_SEQ_CST);
	}
	for (int i = 0; i < 1000 && hot_get(&last_one) != WRITTEN; i++)
		RAW2(SYS_nanosleep, &ms, NULL);
	signals_restore(mask);
}

void report_before_end(void)
{
	if (!is_to_be_written() || hot_get(&last_one) != NOT_YET)
		return;
	audit_keep_all();
	report_write();
	report_wait();
}

static void at_exit(void *unused)
{
	(void)unused;
	report_at_end();
}

void report_end_start(void)
{
	if (!config.at_exit)
		return;
	owner = RAW0(SYS_getpid);
	__cxa_atexit(at_exit, NULL, NULL);
	__cxa_at_quick_exit(at_exit, NULL);
}

void report_end_reset_in_child(void)
{
	if (last_one == WRITTEN && !hot.size) /* the parent has set a filter */
		return;
	last_one = NOT_YET;
	if (config.at_exit)
		owner = RAW0(SYS_getpid);
}
