/* SPDX-License-Identifier: MIT */
/* `seekless off`: the command's own code, as one step in which no thread moves. */
#include "calls.h"
#include "hand_back.h"
#include "slot.h"
#include <stdlib.h>

extern struct seekless_root seekless_root;

/* All words that a number leads to, and the kernel's offsets of the same. */
int outside_accesses(struct access *a)
{
	int n = 0;

	a[n++] = (struct access){&hot.off, STORE, sizeof(hot.off), 0};
	for (int i = 0; i < M_NUMBERS; i++) {
		const struct ofd *o = slot_ofd(hot.slot[FIRST_FD + i]);
		int ofd = kernel.m.ofd_of[i];

		a[n++] = (struct access){&hot.slot[FIRST_FD + i], LOAD, sizeof(*hot.slot), 0};
		a[n++] = (struct access){&kernel.number[i], LOAD, sizeof(*kernel.number), 0};
		if (o)
			a[n++] = (struct access){&o->word.ctl, STORE, sizeof(o->word.ctl), 0};
		if (ofd >= 0)
			a[n++] = (struct access){&kernel.ofd[ofd], STORE, sizeof(*kernel.ofd), 0};
	}
	return n;
}

static bool bring(const void *unused, int fd, int64_t offset)
{
	const long arg[4] = {fd, offset, SEEK_SET, 0};

	(void)unused;
	return kernel_do(SYS_lseek, arg) == offset;
}

void do_off(int fd)
{
	static const struct place place = {"tools/seekless/hand_back.c", "hand_back_all", 0};
	const struct step all = {.place = &place, .name = "switched off", .is_outside = true};
	const struct step again = {.place = &place, .name = "tries again", .wait = AWAITS};
	const struct process self = {.pid = getpid(), .root = seekless_root};
	const long tell[4] = {fd, 0, SEEK_CUR, 0};
	struct m_call *c = call_begin(M_LSEEK, fd, "off");
	struct handing h;
	long r;

	c->whence = SEEK_CUR;
	for (;;) {
		thread_announce(&all);
		memset(&h, 0, sizeof(h));
		if (!hand_back_all(&self, bring, NULL, &h))
			abort();
		if (!h.n_held)
			break;
		thread_look_again();
		thread_announce(&again);
	}
	r = kernel_do(SYS_lseek, tell);
	call_end(c, to_libc(r));
}
