// SPDX-License-Identifier: MIT
/* What is seen of the processes, and how the keys change it. */
#ifndef SEEKLESS_TOP_VIEW_H
#define SEEKLESS_TOP_VIEW_H

#include "top.h"

struct view {
	struct watch *watch;
	struct order order;
	double interval;
	pid_t pid;	   /* the selected one, 0: none */
	size_t row, top;   /* of it, and of the first one that is seen; in watch->shown */
	size_t page;	   /* how many are seen */
	size_t first_line; /* of the detail */
	struct lines lines;
	bool follows; /* the selected one, wherever it moves; else the row is what is selected */
	bool paused, detail, help, quits;
};

/* Puts the processes into order and selects again; for one that has ended, who has its place. */
void view_order(struct view *v);
/* True: it wants a look now. */
bool view_key(struct view *v, int key);

#endif
