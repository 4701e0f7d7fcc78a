// SPDX-License-Identifier: MIT
/* The offsets of a process at a standstill, handed back from outside. */
#include <stdlib.h>

#include "hand_back.h"

static void note_held(struct handing *h, int fd, bool refused)
{
	if (h->n_held < sizeof(h->held) / sizeof(*h->held))
		h->held[h->n_held] = (struct held){fd, refused};
	h->n_held++;
}

/* A word's new ctl; unchanged: it is not to be touched. */
static uint64_t next_ctl(const struct process *p, bring_fn *bring, const void *context,
			 const struct followed *f, struct handing *h)
{
	const struct seekless_root *r = &p->root;
	uint64_t state = f->ctl & r->state_mask, seq = f->ctl & ~(r->seq_one - 1);

	/* Whoever is about to take it finds another word, looks again, and sees that it is forbidden. */
	if (state == r->state_kernel)
		return f->ctl + r->seq_one;
	if (state == r->state_gone || state == r->state_audited || !state)
		return f->ctl;
	if (state != r->state_held || f->changes) {
		note_held(h, f->fd, false);
		return f->ctl;
	}
	if (!bring(context, f->fd, f->offset)) {
		note_held(h, f->fd, true);
		return f->ctl;
	}
	h->handed++;
	return (seq + r->seq_one) | (f->ctl & r->ctl_kept) | r->state_kernel;
}

bool hand_back_all(const struct process *p, bring_fn *bring, const void *context, struct handing *h)
{
	static const uint32_t off = 1;
	size_t n;
	struct followed *f;
	bool ok = process_write(p, p->root.off, &off, sizeof(off));

	if (!ok || !process_followed(p, &f, &n))
		return false;
	for (size_t i = 0; ok && i < n; i++) {
		uint64_t ctl_at = f[i].at + sizeof(f->offset), ctl;

		/* Again: another number may have been the same description's. */
		ok = process_read(p, f[i].at, &f[i].offset, sizeof(f->offset)) &&
		     process_read(p, ctl_at, &f[i].ctl, sizeof(f->ctl));
		ctl = ok ? next_ctl(p, bring, context, &f[i], h) : f[i].ctl;
		if (ctl != f[i].ctl)
			ok = process_write(p, ctl_at, &ctl, sizeof(ctl));
	}
	free(f);
	return ok;
}
