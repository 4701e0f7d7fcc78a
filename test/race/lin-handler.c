/* SPDX-License-Identifier: MIT */
/* lin-handler.c - handlers that use the description that their threads are using. See lin.h. */
// may skip: where its threads seldom meet
// runs: bare keep on
#include "race/lin-signals.h"

static void on_kick(int sig)
{
	(void)sig;
	handler_do();
}

int main(int argc, char **argv)
{
	(void)argc;
	lin_must = &lin_handled;
	return signals_main("lin-handler", argv, on_kick);
}
