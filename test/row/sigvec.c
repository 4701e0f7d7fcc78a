/* SPDX-License-Identifier: MIT */
#define ROW_COUNTS_LOST
#include "signals.h"
#include <dlfcn.h>

/* No program can be linked with it any more; old ones are. */
struct vector {
	handler handle;
	int mask, flags;
};

static void row(void)
{
	int (*sigvec)(int, const struct vector *, struct vector *) =
		(int (*)(int, const struct vector *, struct vector *))dlvsym(
			RTLD_DEFAULT, "sigvec", "GLIBC_2.2.5");
	struct vector v = {on_signal, 1 << (SIGUSR2 - 1), 0}, old;
	int fd = held("a", 100);

	if (!sigvec)
		SKIP("this libc has no sigvec");
	sigvec = (int (*)(int, const struct vector *, struct vector *))dlsym(RTLD_DEFAULT,
									     "sigvec")
			 ?: sigvec;
	GIVES(sigvec(SIGUSR1, NULL, &old), 0);
	CHECK(old.handle == SIG_DFL && old.mask == 0);
	GIVES(sigvec(SIGUSR1, &v, &old), 0);
	CHECK(old.handle == SIG_DFL && action_now().sa_handler == on_signal);
	is_ours(fd, 3);
	v.handle = SIG_IGN;
	GIVES(sigvec(SIGUSR1, &v, &old), 0);
	CHECK(old.handle == on_signal && old.mask == 1 << (SIGUSR2 - 1));
	is_ignored();
	v.handle = SIG_DFL;
	GIVES(sigvec(SIGUSR1, &v, &old), 0);
	CHECK(old.handle == SIG_IGN);
	kills();
	FAILS(sigvec(SIGKILL, &v, NULL), EINVAL);
}
