/* SPDX-License-Identifier: MIT */
#include "send.h"

static long send_it(int to, struct msghdr *m)
{
	return sendmsg(to, m, 0);
}
