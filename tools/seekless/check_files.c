// SPDX-License-Identifier: MIT
/* `seekless check`: the files that a process has open, and how their offsets move. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum {
	BETWEEN = 5 * 1000 * 1000, /* nanoseconds from one look to the next */
	RENEW = 20,		   /* looks from one list of descriptors to the next */
	NUMBERS = 131072,	   /* what is above is not followed */
};

static const struct {
	uint32_t magic;
	bool is_followed;
	const char *name;
} systems[] = {
#define FILE_SYSTEM(magic, name) {magic, true, name},
#include "../../shim/filesystems.def"
#undef FILE_SYSTEM
	{0x6969, false, "nfs"},		{0x65735546, false, "fuse"},
	{0x4d44, false, "vfat"},	{0x9fa0, false, "proc"},
	{0x62656572, false, "sysfs"},	{0xff534d42, false, "cifs"},
	{0x2011bab0, false, "exfat"},	{0x9660, false, "iso9660"},
	{0x63677270, false, "cgroup2"}, {0x958458f6, false, "hugetlbfs"},
	{0x2fc12fc1, false, "zfs"},	{0xf2f52010, false, "f2fs"},
};

static const char *system_name(uint32_t magic, bool *is_followed)
{
	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		if (systems[i].magic == magic) {
			*is_followed = systems[i].is_followed;
			return systems[i].name;
		}
	*is_followed = false;
	return text_make("file system 0x%x", magic);
}

static bool is_known(const struct subject *process, int fd, const struct stat *st)
{
	for (int i = 0; i < process->count; i++)
		if (process->opened[i].fd == fd && process->opened[i].dev == st->st_dev &&
		    process->opened[i].ino == st->st_ino)
			return true;
	return false;
}

static void add_file(struct subject *process, const char *link, int fd)
{
	char target[PATH_MAX];
	struct opened opened = {.fd = fd};
	struct statfs fs;
	struct stat st;
	ssize_t length = readlink(link, target, sizeof(target) - 1);

	if (length < 0 || stat(link, &st))
		return;
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode)) {
		process->others++;
		return;
	}
	if (is_known(process, fd, &st))
		return;
	target[length] = '\0';
	opened.dev = st.st_dev;
	opened.ino = st.st_ino;
	opened.file = text_make("%s", target);
	opened.is_block = S_ISBLK(st.st_mode);
	opened.is_followed = opened.is_block;
	opened.system = "block device";
	if (!opened.is_block)
		opened.system = statfs(link, &fs)
					? "unknown file system"
					: system_name((uint32_t)fs.f_type, &opened.is_followed);
	if (fd <= 2 || fd >= NUMBERS)
		opened.is_followed = false;
	process->opened =
		memory_more(process->opened, (size_t)(process->count + 1) * sizeof(opened));
	process->opened[process->count++] = opened;
}

/* Adds the files that are open now. */
static void list_files(struct subject *process)
{
	char *folder = text_make("/proc/%d/fd", process->pid), *link;
	DIR *dir = opendir(folder);
	struct dirent *entry;

	process->others = 0;
	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		link = text_make("%s/%s", folder, entry->d_name);
		add_file(process, link, atoi(entry->d_name));
		free(link);
	}
	if (dir)
		closedir(dir);
	free(folder);
}

/* Where a descriptor stands; false if it has no such file any more. */
static bool look(pid_t pid, struct opened *opened)
{
	char path[64], text[512];
	unsigned long long position, number = 0;
	const char *at;
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", pid, opened->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	if (length <= 0)
		return false;
	text[length] = '\0';
	at = strstr(text, "ino:");
	if (sscanf(text, "pos: %llu", &position) != 1 ||
	    (at && sscanf(at, "ino: %llu", &number) != 1))
		return false;
	if (opened->looks && number != opened->number)
		return false;
	opened->number = number;
	opened->seen = position;
	return true;
}

/* What an offset did since the last look, in which the calls carried so many bytes. */
static void judge_move(struct opened *opened, uint64_t carried, bool is_known)
{
	uint64_t from = opened->position, to = opened->seen;

	opened->position = to;
	if (!opened->looks++ || from == to)
		return;
	if (to > from && (!is_known || to - from <= carried))
		opened->ahead++;
	else if (is_known && to <= carried)
		opened->starts++;
	else
		opened->jumps++;
}

/* The bytes that the process has read and written so far. */
static bool read_carried(pid_t pid, uint64_t *carried)
{
	char *io = subject_text(pid, "io", NULL);
	unsigned long long got, put;
	bool known = io && sscanf(io, "rchar: %llu wchar: %llu", &got, &put) == 2;

	*carried = known ? got + put : 0;
	free(io);
	return known;
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void subject_watch(struct subject *process)
{
	const struct timespec between = {.tv_nsec = BETWEEN};
	double end = seconds_now() + 1;
	uint64_t last = 0, before, after;

	for (int i = 0; i == 0 || seconds_now() < end; i++) {
		bool known = read_carried(process->pid, &before);

		if (i % RENEW == 0)
			list_files(process);
		for (int n = 0; n < process->count; n++)
			if (!look(process->pid, &process->opened[n]))
				process->opened[n].seen = process->opened[n].position;
		known = read_carried(process->pid, &after) && known;
		/* All that can have moved an offset from the last look at it to this one. */
		for (int n = 0; n < process->count; n++)
			judge_move(&process->opened[n], after - last, known);
		last = before;
		nanosleep(&between, NULL);
	}
}
