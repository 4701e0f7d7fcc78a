/* SPDX-License-Identifier: MIT */
/* records-cancel.c - The same with threads cancelled inside the call; each loses at most the
 * record in flight. See records.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
// timeout: 400
#include "race/records.h"

int main(int argc, char **argv)
{
	(void)argc;
	return records_main(CANCEL, argv);
}
