/* SPDX-License-Identifier: MIT */
/* Floor 5, entry points: exec in its nine forms, each of which may fail and come back. */
#include "process.h"
#include "real.h"
#include <alloca.h>

static int came_back(int r)
{
	process_exec_end();
	return r;
}

EXPORT int execve(const char *path, char *const argv[], char *const envp[])
{
	process_exec_begin();
	return came_back(PASS(execve)(path, argv, envp));
}
EXPORT int execv(const char *path, char *const argv[])
{
	process_exec_begin();
	return came_back(PASS(execv)(path, argv));
}
EXPORT int execvp(const char *file, char *const argv[])
{
	process_exec_begin();
	return came_back(PASS(execvp)(file, argv));
}
EXPORT int execvpe(const char *file, char *const argv[], char *const envp[])
{
	process_exec_begin();
	return came_back(PASS(execvpe)(file, argv, envp));
}
EXPORT int fexecve(int fd, char *const argv[], char *const envp[])
{
	process_exec_begin();
	return came_back(PASS(fexecve)(fd, argv, envp));
}
EXPORT int execveat(int dir, const char *path, char *const argv[], char *const envp[], int flags)
{
	process_exec_begin();
	return came_back(PASS(execveat)(dir, path, argv, envp, flags));
}

/* Lists become vectors on the stack, as in libc, so that they work in a vfork child. */
static size_t list_length(va_list ap)
{
	size_t n = 1;

	while (va_arg(ap, char *))
		n++;
	return n;
}
static void list_copy(char **argv, size_t n, const char *first, va_list ap)
{
	argv[0] = (char *)first;
	for (size_t i = 1; i <= n; i++)
		argv[i] = va_arg(ap, char *);
}

#define VECTOR_OF(argv, first)                                                                     \
	do {                                                                                       \
		va_list ap_;                                                                       \
		size_t n_;                                                                         \
		va_start(ap_, first);                                                              \
		n_ = list_length(ap_);                                                             \
		va_end(ap_);                                                                       \
		argv = alloca((n_ + 1) * sizeof(char *));                                          \
		va_start(ap_, first);                                                              \
		list_copy(argv, n_, first, ap_);                                                   \
		va_end(ap_);                                                                       \
	} while (0)

EXPORT int execl(const char *path, const char *arg, ...)
{
	char **argv;

	VECTOR_OF(argv, arg);
	return execv(path, argv);
}
EXPORT int execlp(const char *file, const char *arg, ...)
{
	char **argv;

	VECTOR_OF(argv, arg);
	return execvp(file, argv);
}
EXPORT int execle(const char *path, const char *arg, ...)
{
	char **argv, **envp;
	va_list ap;

	VECTOR_OF(argv, arg);
	va_start(ap, arg);
	while (va_arg(ap, char *))
		;
	envp = va_arg(ap, char **);
	va_end(ap);
	return execve(path, argv, envp);
}
