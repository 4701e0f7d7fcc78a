/* SPDX-License-Identifier: MIT */
/*
 * For the script open-mode: files opened between two getpriority(), with something in the register of a mode
 * that is not asked for; then a vfork child that closes what its parent holds.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* As a caller whose register holds something calls the function with dots. */
static int (*volatile open_so)(const char *, int, int) = (void *)open;
static int (*volatile openat_so)(int, const char *, int, int) = (void *)openat;

int main(int argc, char **argv)
{
	int fd, good, status;
	pid_t pid;

	if (argc < 2)
		return 2;
	fd = open(argv[1], O_RDWR | O_CLOEXEC);
	good = lseek(fd, 1, SEEK_SET) == 1 && lseek(fd, 2, SEEK_SET) == 2;
	getpriority(PRIO_PROCESS, 0);
	good &= open_so(argv[1], O_RDONLY, 04777) > fd;
	good &= openat_so(AT_FDCWD, argv[1], O_RDONLY, 04777) > fd;
	getpriority(PRIO_PROCESS, 0);
	pid = vfork();
	if (pid == 0) {
		close(fd);
		_exit(0);
	}
	good &= waitpid(pid, &status, 0) == pid && !status;
	getpriority(PRIO_PROCESS, 0);
	for (int i = 0; i < 10; i++)
		good &= lseek(fd, i, SEEK_SET) == i;
	getpriority(PRIO_PROCESS, 0);
	return good ? 0 : 1;
}
