/* SPDX-License-Identifier: MIT */
/* Floor 2, state: what we would say, compared with what the kernel says. */
#include "audit.h"
#include "config.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct disagreement audit_kept[AUDIT_KEPT];

struct audit_file audit_files[AUDIT_FILES];

static long read_link(const char *folder, int fd, char *path, size_t size)
{
	char name[40];
	size_t n = strlen(folder);

	memcpy(name, folder, n);
	for (int unit = 1000000; unit; unit /= 10)
		if (fd >= unit || unit == 1)
			name[n++] = (char)('0' + fd / unit % 10);
	name[n] = 0;
	return RAW4(SYS_readlinkat, AT_FDCWD, name, path, size - 1);
}

/* Where the first thread has ended, /proc/self has no descriptors; thread-self came with Linux 3.17. */
void audit_read_path(int fd, char *path, size_t size)
{
	long n = read_link("/proc/thread-self/fd/", fd, path, size);

	if (n < 0)
		n = read_link("/proc/self/fd/", fd, path, size);
	path[n > 0 ? n : 0] = 0;
}

static void wrong(int fd, const char *at, int64_t ours, int64_t kernels)
{
	static uint32_t next;
	uint32_t i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % AUDIT_KEPT;
	struct disagreement *d = &audit_kept[i];

	audit_read_path(fd, d->path, sizeof(d->path));
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
	l->ofd->backs++;
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

#ifdef SEEKLESS_TEST
	if (config.wrong && tls.block && tls.block->n[C_audited] == config.wrong)
		next.off++;
#endif
	if (is_alone(l, 1) && word_swap(&l->ofd->word, l->w, next))
		return;
	count(C_audit_unsure);
	ctl = __atomic_load_n(&l->ofd->word.ctl, __ATOMIC_RELAXED);
	while ((ctl & W_STATE) == AUDITED &&
	       !word_swap_ctl(&l->ofd->word, &ctl, ((ctl & ~W_STATE) | KERNEL) + W_SEQ_ONE))
		;
	ofd_leave(l->ofd);
}

static void compare(const struct look *l, const char *at)
{
	int64_t kernels = ask(l->fd);

	if (kernels != l->w.off && kernels >= 0 && is_alone(l, 0))
		wrong(l->fd, at, l->w.off, kernels);
}

void audit_close(const struct look *l)
{
	compare(l, "at close");
	audit_keep(l->fd, l->ofd);
}

static const char *before_what(enum reason why)
{
	switch (why) {
	case R_fork:
	case R_vfork:
		return "before a fork";
	case R_spawn:
	case R_exec:
		return "before a program was started";
	case R_sent:
		return "before the descriptor was sent";
	case R_stream:
		return "before a stream got the descriptor (fdopen)";
	case R_dup:
		return "before a dup";
	case R_lock:
		return "before a lock";
	case R_copy:
		return "before a sendfile or its like";
	case R_print:
		return "before a dprintf";
	case R_flags:
		return "before the file status flags were changed";
	default:
		return "before a call that uses or passes on the offset";
	}
}

bool audit_hand_back(struct look *l, enum reason why, bool for_good)
{
	uint64_t ctl = l->w.ctl;

	if (!word_who(l->w))
		compare(l, before_what(why));
	audit_keep(l->fd, l->ofd);
	l->w.ctl = ((ctl & ~W_STATE) | (for_good ? GONE : KERNEL)) + W_SEQ_ONE;
	return word_swap_ctl(&l->ofd->word, &ctl, l->w.ctl);
}

/* ---- by file ---- */

static uint32_t hash_of(const char *path)
{
	uint32_t hash = 2166136261;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 16777619;
	return hash;
}

/* By a few looks from where its hash leads; a table that is full costs no more. */
static struct audit_file *file_of(const char *path)
{
	uint32_t hash = hash_of(path);

	for (uint32_t i = 0; i < 32; i++) {
		struct audit_file *f = &audit_files[1 + (hash + i) % (AUDIT_FILES - 1)];
		uint32_t state = __atomic_load_n(&f->state, __ATOMIC_ACQUIRE);

		if (state == FILE_READY && f->hash == hash && !strcmp(f->path, path))
			return f;
		if (state != FILE_FREE ||
		    !__atomic_compare_exchange_n(&f->state, &state, FILE_FILLED, false,
						 __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
			continue;
		f->hash = hash;
		strcpy(f->path, path);
		__atomic_store_n(&f->state, FILE_READY, __ATOMIC_RELEASE);
		return f;
	}
	strcpy(audit_files[0].path, "(other files)");
	__atomic_store_n(&audit_files[0].state, FILE_READY, __ATOMIC_RELEASE);
	return &audit_files[0];
}

void audit_keep(int fd, struct ofd *o)
{
	uint32_t saved = __atomic_exchange_n(&o->saved, 0, __ATOMIC_RELAXED);
	uint32_t calls = __atomic_exchange_n(&o->backs, 0, __ATOMIC_RELAXED);
	char path[sizeof(audit_files->path)];
	struct audit_file *f;

	if (!saved)
		return;
	audit_read_path(fd, path, sizeof(path));
	f = file_of(path);
	__atomic_fetch_add(&f->saved, saved, __ATOMIC_RELAXED);
	__atomic_fetch_add(&f->calls, calls, __ATOMIC_RELAXED);
}

void audit_keep_all(void)
{
	for (uint32_t fd = 0; config.audit && fd < hot_get(&hot.high); fd++) {
		struct look l;

		/* One that is being closed is the closer's. */
		if (slot_now((int)fd) & S_FLAGS || look((int)fd, &l) != TRACKED)
			continue;
		if (word_state(l.w) == AUDITED)
			compare(&l, "at the end of the program");
		audit_keep((int)fd, l.ofd);
	}
}

/* What the parent has found is the parent's. */
void audit_reset_in_child(void)
{
	if (!config.audit)
		return;
	for (int i = 0; i < AUDIT_FILES; i++)
		if (audit_files[i].state != FILE_FREE)
			audit_files[i] = (struct audit_file){0};
	for (int i = 0; i < AUDIT_KEPT; i++)
		audit_kept[i].at = NULL;
}
