/* SPDX-License-Identifier: MIT */
/* raw.h - system calls made by our own instruction, which no preloaded library sees. */
#ifndef RACE_RAW_H
#define RACE_RAW_H

/* Like syscall(2): -1 and errno on failure. */
MAYBE long raw(long nr, long a, long b, long c, long d, long e)
{
	long ret;
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = 0;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	ret = x0;
#else
#error "no raw system call for this machine"
#endif
	if (ret < 0 && ret >= -4095) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
}

MAYBE off_t raw_lseek(int fd, off_t off, int whence)
{
	return raw(SYS_lseek, fd, off, whence, 0, 0);
}

MAYBE ssize_t raw_pread(int fd, void *buf, size_t n, off_t off)
{
	return raw(SYS_pread64, fd, (long)buf, (long)n, off, 0);
}

MAYBE ssize_t raw_pwrite(int fd, const void *buf, size_t n, off_t off)
{
	return raw(SYS_pwrite64, fd, (long)buf, (long)n, off, 0);
}

#endif
