// SPDX-License-Identifier: MIT
/* A process by the file that it keeps in the folder SEEKLESS_STATS. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "printable.h"
#include "process.h"

/* When the process of that number started, in nanoseconds since 1970, to a hundredth of a second; 0: none. */
static uint64_t process_start(pid_t pid)
{
	FILE *f = process_open(pid, "stat");
	unsigned long long ticks = 0;
	struct timespec now, up;
	char line[1024], *end;

	if (f && fgets(line, sizeof(line), f) && (end = strrchr(line, ')')))
		sscanf(end,
		       ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
		       "%*d %llu",
		       &ticks);
	if (f)
		fclose(f);
	if (!ticks)
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return ((uint64_t)(now.tv_sec - up.tv_sec)) * 1000000000 + (uint64_t)now.tv_nsec -
	       (uint64_t)up.tv_nsec + ticks * (1000000000 / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* A file of a dead process stays, and its number may be another's by now: one that started later. */
static bool lives(const struct seekless_image *m)
{
	enum { SLACK = 2000000000 };
	uint64_t start = process_start(m->pid);

	return start && start <= m->root.started + SLACK;
}

static struct seekless_image *read_file(const char *folder, const char *name)
{
	struct seekless_image *m = malloc(SEEKLESS_IMAGE);
	int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
	struct stat st;
	bool ok;

	if (dir >= 0)
		fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ok = m && fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	     pread(fd, m, SEEKLESS_IMAGE, 0) == SEEKLESS_IMAGE;
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	if (ok)
		return m;
	free(m);
	return NULL;
}

bool process_attach_image(const char *folder, const char *name, struct process *p)
{
	struct seekless_image *m;

	memset(p, 0, sizeof(*p));
	if (strncmp(name, "seekless.", 9) || !(m = read_file(folder, name)))
		return false;
	p->image = m;
	p->pid = m->pid;
	p->root_at = m->base;
	snprintf(p->program, sizeof(p->program), "%.63s", m->program);
	make_printable(p->program);
	if (m->pid > 0 && m->pid == atoi(name + 9) && process_read_root(p) && p->root.magic &&
	    lives(m) && process_read_names(p) && process_count(p))
		return true;
	process_detach(p);
	return false;
}
