/* SPDX-License-Identifier: MIT */
/* Floor 2, state: what we would say, compared with what the kernel says. */
#include "audit.h"
#include "config.h"
#include <fcntl.h>
#include <unistd.h>

struct disagreement audit_kept[AUDIT_KEPT];

static void wrong(int fd, const char *at, int64_t ours, int64_t kernels)
{
	static uint32_t next;
	uint32_t i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % AUDIT_KEPT;

	struct disagreement *d = &audit_kept[i];
	char name[32] = "/proc/self/fd/";
	long n = sizeof("/proc/self/fd/") - 1;

	for (int unit = 1000000; unit; unit /= 10)
		if (fd >= unit || unit == 1)
			name[n++] = (char)('0' + fd / unit % 10);
	n = RAW4(SYS_readlinkat, AT_FDCWD, name, d->path, sizeof(d->path) - 1);
	d->path[n > 0 ? n : 0] = 0;
	d->fd = fd;
	d->at = at;
	d->ours = ours;
	d->kernels = kernels;
	count(C_audit_wrong);
}

static int64_t ask(int fd)
{
	count(C_audit_asked);
	return RAW3(SYS_lseek, fd, 0, SEEK_CUR);
}

/* Nobody else was in a call when ours began, and nothing has happened since l was looked up. */
static bool is_alone(const struct look *l, int calls)
{
	struct word now = word_load(&l->ofd->word);

	return word_who(l->w) == calls && now.ctl == l->w.ctl && look_holds(l);
}

void audit_disagree(const struct look *l, const char *at, int64_t ours, int64_t kernels)
{
	if (is_alone(l, 1))
		wrong(l->fd, at, ours, kernels);
}

int64_t audit_before(const struct look *l, const char *at)
{
	int64_t kernels;

	count(C_audited);
	if (tls.block && tls.block->n[C_audited] % config.audit_every)
		return l->w.off;
	kernels = ask(l->fd);
	if (kernels == l->w.off || kernels < 0 || !is_alone(l, 1))
		return l->w.off;
	wrong(l->fd, at, l->w.off, kernels);
	return kernels;
}

void audit_after(struct look *l, int64_t off, bool known)
{
	struct word next = word_next(l->w, known ? AUDITED : KERNEL, off, 0);
	uint64_t ctl;

	if (is_alone(l, 1) && word_swap(&l->ofd->word, l->w, next))
		return;
	count(C_audit_unsure);
	ctl = __atomic_load_n(&l->ofd->word.ctl, __ATOMIC_RELAXED);
	while ((ctl & W_STATE) == AUDITED &&
	       !word_swap_ctl(&l->ofd->word, &ctl, ((ctl & ~W_STATE) | KERNEL) + W_SEQ_ONE))
		;
	ofd_leave(l->ofd);
}

void audit_compare(const struct look *l, const char *at)
{
	int64_t kernels = ask(l->fd);

	if (kernels != l->w.off && kernels >= 0 && is_alone(l, 0))
		wrong(l->fd, at, l->w.off, kernels);
}

bool audit_hand_back(struct look *l, bool for_good)
{
	uint64_t ctl = l->w.ctl;

	if (!word_who(l->w))
		audit_compare(l, "before a call that uses or passes on the offset");
	l->w.ctl = ((ctl & ~W_STATE) | (for_good ? GONE : KERNEL)) + W_SEQ_ONE;
	return word_swap_ctl(&l->ofd->word, &ctl, l->w.ctl);
}
