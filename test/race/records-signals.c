/* SPDX-License-Identifier: MIT */
/* records-signals.c - The same with a signal handler in each thread that uses the same
 * descriptor every 200 us. See records.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
// timeout: 400
#include "race/records.h"

int main(int argc, char **argv)
{
	(void)argc;
	return records_main(SIGNALS, argv);
}
