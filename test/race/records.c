/* SPDX-License-Identifier: MIT */
/* records.c - 10 million reads and writes by two threads on shared ofds, each record once. See
 * records.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
// timeout: 400
#include "race/records.h"

int main(int argc, char **argv)
{
	(void)argc;
	return records_main(PLAIN, argv);
}
