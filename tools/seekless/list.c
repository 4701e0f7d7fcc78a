// SPDX-License-Identifier: MIT
/* Which processes there are. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "process.h"

static int by_number(const void *a, const void *b)
{
	pid_t x = ((const struct listed *)a)->pid, y = ((const struct listed *)b)->pid;

	return (x > y) - (x < y);
}

static bool add(struct listed **list, size_t *n, const struct dirent *entry)
{
	/* Room for a power of two; full at each. */
	if (!(*n & (*n - 1))) {
		struct listed *more = realloc(*list, (*n ? 2 * *n : 1) * sizeof(*more));

		if (!more)
			return false;
		*list = more;
	}
	(*list)[(*n)++] = (struct listed){atoi(entry->d_name), entry->d_ino};
	return true;
}

struct listed *process_list(size_t *n)
{
	DIR *proc = opendir("/proc");
	struct listed *list = NULL;
	struct dirent *entry;
	bool ok = proc;

	*n = 0;
	while (ok && (entry = readdir(proc)))
		if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
			ok = add(&list, n, entry);
	if (proc)
		closedir(proc);
	if (ok && *n) {
		qsort(list, *n, sizeof(*list), by_number);
		return list;
	}
	free(list);
	if (ok)
		errno = ENOENT; /* /proc is an empty folder */
	return NULL;
}
