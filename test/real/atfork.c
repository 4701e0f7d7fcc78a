/* SPDX-License-Identifier: MIT */
/*
 * atfork.c - libc calls a handler of pthread_atfork in the child before fork comes back: it closes a file
 * there, which its parent keeps.  What the parent opens next is another one.  In the folder argv[1].
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int kept;

static void in_child(void)
{
	close(kept);
}

int main(int argc, char **argv)
{
	char bytes[100] = "", b = 0;
	int status, next;
	pid_t child;

	if (argc < 2 || chdir(argv[1]) || (kept = open("atfork", O_RDWR | O_CREAT | O_TRUNC, 0600)) < 0)
		return 2;
	for (char i = 0; i < 100; i++)
		bytes[(int)i] = i;
	if (write(kept, bytes, 100) != 100 || pthread_atfork(NULL, NULL, in_child))
		return 2;
	lseek(kept, 1, SEEK_SET);
	lseek(kept, 5, SEEK_SET);
	child = fork();
	if (child == 0)
		_exit(0);
	waitpid(child, &status, 0);
	next = open("atfork", O_RDWR);
	lseek(next, 50, SEEK_SET);
	lseek(next, 62, SEEK_SET);
	if (read(next, &b, 1) == 1)
		printf("%d", b);
	if (read(kept, &b, 1) == 1)
		printf(" %d", b);
	lseek(next, 7, SEEK_SET);
	printf(" %ld %ld\n", (long)lseek(kept, 0, SEEK_CUR), (long)lseek(next, 0, SEEK_CUR));
	return 0;
}
