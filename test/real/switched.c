/* SPDX-License-Identifier: MIT */
/*
 * switched.c - what test/real/switch switches off and on.  In the file FILE each 8 bytes are their own
 * number.
 *
 *   switched stands FILE      names a place, reads, and stops itself; when it goes on, all is as it was
 *   switched writes FILE GO   a write that does not end before the file GO is there (test build)
 *   switched vfork FILE GO    a vfork child that lives until then
 *   switched forks FILE GO    then a fork child seeks and reads and stops itself, too
 *   switched load FILE S      four threads read for S seconds, each read is checked
 * Exit: 0, or 1 after a line.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("line %d: not %s\n", __LINE__, #condition);                         \
			fflush(stdout);                                                            \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

enum { WORDS = 4096 };
static const char *go;
static int fd;

static void wait_for_go(void)
{
	struct stat st;

	while (stat(go, &st))
		nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static uint64_t read_word(int from)
{
	uint64_t word;

	MUST(read(from, &word, sizeof(word)) == sizeof(word));
	return word;
}
static void seek_word(int to, uint64_t word)
{
	MUST(lseek(to, (off_t)(word * 8), SEEK_SET) == (off_t)(word * 8));
}

/* The second seek and the read after it are where a library would keep the offset. */
static void hold(uint64_t word)
{
	seek_word(fd, 1);
	MUST(read_word(fd) == 1);
	seek_word(fd, word);
	MUST(read_word(fd) == word);
}

static void stands(void)
{
	hold(100);
	raise(SIGSTOP);
	MUST(read_word(fd) == 101);
	MUST(lseek(fd, 0, SEEK_CUR) == 102 * 8);
	seek_word(fd, 7);
	MUST(read_word(fd) == 7);
	raise(SIGSTOP);
	MUST(read_word(fd) == 8);
}

static void at_hook(const char *point, int at)
{
	if (at == fd && !strcmp(point, "pwrite"))
		wait_for_go();
}
static void writes(void)
{
	void (**place)(const char *, int) = dlsym(RTLD_DEFAULT, "seekless_hook");
	uint64_t word = 101;

	hold(100);
	if (place)
		*place = at_hook;
	puts("writes");
	fflush(stdout);
	MUST(write(fd, &word, sizeof(word)) == sizeof(word));
	raise(SIGSTOP);
	MUST(read_word(fd) == 102);
}

static void vforks(void)
{
	struct stat st;
	int status;
	pid_t child;

	hold(100);
	puts("vforks");
	fflush(stdout);
	child = vfork();
	if (child == 0) {
		while (stat(go, &st))
			;
		_exit(0);
	}
	MUST(child > 0 && waitpid(child, &status, 0) == child && !status);
	raise(SIGSTOP);
	MUST(read_word(fd) == 101);
}

static void forks(const char *file)
{
	int status;
	pid_t child;

	hold(100);
	puts("forks");
	fflush(stdout);
	wait_for_go();
	child = fork();
	if (child == 0) {
		close(fd);
		fd = open(file, O_RDWR);
		hold(200);
		raise(SIGSTOP);
		MUST(read_word(fd) == 201);
		_exit(0);
	}
	MUST(child > 0);
	printf("%d\n", (int)child);
	fflush(stdout);
	MUST(waitpid(child, &status, 0) == child && !status);
}

/* ---- under load ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *load_file;
static time_t load_end;

static void *reads(void *unused)
{
	unsigned seed = (unsigned)(uintptr_t)&seed;
	int own = open(load_file, O_RDWR);

	(void)unused;
	MUST(own >= 0);
	while (time(NULL) < load_end) {
		for (int i = 0; i < 1000; i++) {
			uint64_t word = (uint64_t)rand_r(&seed) % (WORDS - 2);

			seek_word(own, word);
			MUST(read_word(own) == word && read_word(own) == word + 1);
			MUST(lseek(own, -8, SEEK_CUR) == (off_t)(word + 1) * 8);
			word++;
			MUST(write(own, &word, 8) == 8);
			MUST(lseek(own, 0, SEEK_CUR) == (off_t)(word + 1) * 8);
			MUST(!pthread_mutex_lock(&lock));
			seek_word(fd, word);
			MUST(read_word(fd) == word);
			MUST(!pthread_mutex_unlock(&lock));
		}
	}
	close(own);
	return NULL;
}
static void load(const char *file, const char *seconds)
{
	pthread_t threads[4];

	load_file = file;
	load_end = time(NULL) + atoi(seconds);
	puts("load");
	fflush(stdout);
	for (int i = 0; i < 4; i++)
		MUST(!pthread_create(&threads[i], NULL, reads, NULL));
	for (int i = 0; i < 4; i++)
		MUST(!pthread_join(threads[i], NULL));
}

int main(int argc, char **argv)
{
	MUST(argc >= 3);
	go = argc > 3 ? argv[3] : NULL;
	fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600);
	MUST(fd >= 0);
	for (uint64_t word = 0; word < WORDS; word++)
		MUST(write(fd, &word, sizeof(word)) == sizeof(word));
	if (!strcmp(argv[1], "stands"))
		stands();
	else if (!strcmp(argv[1], "writes"))
		writes();
	else if (!strcmp(argv[1], "vfork"))
		vforks();
	else if (!strcmp(argv[1], "forks"))
		forks(argv[2]);
	else if (!strcmp(argv[1], "load"))
		load(argv[2], argv[3]);
	else
		return 2;
	return 0;
}
