/* SPDX-License-Identifier: MIT */
/* For the script tell-once: open, fstat, tell, read, close; 20 times between two getpriority(). */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int once(const char *path)
{
	int fd = open(path, O_RDONLY), good;
	struct stat st;
	char b[8];

	good = !fstat(fd, &st) && lseek(fd, 0, SEEK_CUR) == 0 && read(fd, b, 8) == 8;
	return good && !close(fd);
}

int main(int argc, char **argv)
{
	int good = argc > 1;

	for (int i = 0; good && i < 3; i++)
		good = once(argv[1]);
	getpriority(PRIO_PROCESS, 0);
	for (int i = 0; good && i < 20; i++)
		good = once(argv[1]);
	getpriority(PRIO_PROCESS, 0);
	return good ? 0 : 1;
}
