/* SPDX-License-Identifier: MIT */
/* Floor 2, state: marked system calls. */
#include "flight.h"
#include "real.h"

/* The linker's names for the ends of the list that fly() makes. */
extern const struct site __start_flight_sites[] __attribute__((visibility("hidden")));
extern const struct site __stop_flight_sites[] __attribute__((visibility("hidden")));

/* Replaces the mark, unless somebody of this thread was here before. */
static void settle(struct ofd *o, struct word mark, int64_t off, enum state state)
{
	struct word old;

	do {
		old = word_load(&o->word);
		if (!word_has_mark(old, mark))
			return;
	} while (!word_swap(&o->word, old, word_next(old, state, off, 0)));
	ofd_wake(o, old);
}

static void land(const struct flight *f, long r)
{
	switch (f->landing) {
	case LANDS_READ:
		break;
	case LANDS_WRITTEN:
		settle(f->ofd, f->mark, f->off + (r > 0 ? r : 0), OURS);
		break;
	case LANDS_APPENDED:
		settle(f->ofd, f->mark, f->off, r > 0 ? KERNEL : OURS);
		break;
	case LANDS_AT:
		settle(f->ofd, f->mark, r >= 0 ? r : f->off, OURS);
		break;
	default:
		settle(f->ofd, f->mark, f->off, OURS);
		break;
	}
}

OFTEN long flight(struct look *l, enum landing landing, const char *point, long nr, long a, long b,
		  long c, long d, long e, long g)
{
	struct flight f = {
		.outer = tls.flight,
		.ofd = l->ofd,
		.mark = word_next(l->w, WRITING, l->w.off, my_tid()),
		.off = l->w.off,
		.expected = c, /* the length of a write, if nothing better is to be had */
		.landing = landing,
	};
	long r = LOOK_AGAIN;
	int type = cancel_later();

	/* Should a handler jump out of the write, the mark says that it has been done. */
	if (nr == SYS_pwrite64 && c > 0)
		f.mark.off += c < 0x7ffff000 ? c : 0x7ffff000;
	(void)point;
	tls.flight = &f;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (unlikely(!word_swap(&l->ofd->word, l->w, f.mark))) {
		count(C_retry);
	} else if (unlikely(!look_holds_marked(l, f.mark))) {
		/* A closer of this number was faster; from the mark on it would have waited. */
		settle(l->ofd, f.mark, f.off, OURS);
	} else {
		__atomic_store_n(&l->ofd->flight, &f, __ATOMIC_RELEASE);
		HOOK(point, l->fd);
		/* What the kernel does not look at makes the signal frame this flight's (SAVED_MARK). */
		r = fly(&f, nr, a, b, c, d, e, nr == SYS_pwritev2 ? g : (long)f.mark.ctl);
		/* The phase is seen before anything here overwrites a dead frame (result_in_frame). */
		__atomic_thread_fence(__ATOMIC_RELEASE);
		if (likely(r != LOOK_AGAIN)) {
			HOOK("settle", l->fd);
			land(&f, r);
		}
	}
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	tls.flight = f.outer;
	cancel_as_before(type);
	return r;
}

/* ---- in a handler of the owner ---- */

/* What the kernel saved of the interrupted flight: sp, pc, and the registers before them. */
#if defined(__x86_64__)
enum {
	SAVED_FLIGHT = -4, /* rbx */
	SAVED_RESULT = -2, /* rax */
	SAVED_MARK = -14,  /* r9 */
	SAVED_PC = 1,
	SAVED_BEFORE = 15
};
#else
enum {
	SAVED_FLIGHT = -12, /* x19 */
	SAVED_RESULT = -31, /* x0 */
	SAVED_MARK = -26,   /* x5 */
	SAVED_PC = 1,
	SAVED_BEFORE = 31
};
#endif

static uintptr_t absolute(const int32_t *relative)
{
	return (uintptr_t)relative + (uintptr_t)(intptr_t)*relative;
}
static const struct site *site_of(uintptr_t pc)
{
	for (const struct site *s = __start_flight_sites; s < __stop_flight_sites; s++)
		if (pc >= absolute(&s->critical) && pc <= absolute(&s->done))
			return s;
	return NULL;
}

/* Looks for the signal frame below `top`: the one place with this sp, pc and flight together. */
static uintptr_t *frame_below(uintptr_t top, uintptr_t bottom, const struct flight *f,
			      uintptr_t self)
{
	uintptr_t *p = (uintptr_t *)(top & ~7UL);
	uintptr_t *end = (uintptr_t *)((bottom + 7) & ~7UL) + SAVED_BEFORE;

	for (p -= 2; p >= end; p--)
		if (p[0] == f->sp && p[SAVED_FLIGHT] == self && site_of(p[SAVED_PC]))
			return p;
	return NULL;
}

static uintptr_t *frame_of(const struct flight *f, uintptr_t self)
{
	enum { REACH = 65536 }; /* a frame with the largest vector registers has some 12 KiB */
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), at = f->sp;
	uintptr_t *p = NULL;
	stack_t alt;

	if (here < at)
		p = frame_below(at, at - here > REACH ? at - REACH : here, f, self);
	if (!p && !RAW2(SYS_sigaltstack, NULL, &alt) && alt.ss_flags & SS_ONSTACK) {
		at = (uintptr_t)alt.ss_sp + alt.ss_size;
		if (here <= (uintptr_t)alt.ss_sp || here >= at)
			here = (uintptr_t)alt.ss_sp;
		p = frame_below(at, here, f, self);
	}
	return p;
}

static void abort_flight(struct flight *f, const struct flight *seen, uintptr_t *frame)
{
	f->aborted = 1;
	if (frame)
		frame[SAVED_PC] = absolute(&site_of(frame[SAVED_PC])->aborted);
	if (seen->landing == LANDS_READ)
		return;
	settle(seen->ofd, seen->mark, seen->off, OURS);
}

static bool is_below_us(const struct flight *f)
{
	stack_t alt = {0};

	return (uintptr_t)f < (uintptr_t)__builtin_frame_address(0) &&
	       !RAW2(SYS_sigaltstack, NULL, &alt) && !(alt.ss_flags & SS_ONSTACK);
}

static void arrive(struct flight *f, const struct flight *seen, long r)
{
	if (seen->landing != LANDS_READ)
		land(seen, r);
	else if (flight_land_read(seen->ofd, seen->mark, r))
		f->settled = true;
}

/* Takes the call back where it has not been made, and settles it where it has. */
static void resolve(struct flight *f, const struct flight *seen)
{
	uintptr_t *frame;

	switch (seen->phase) {
	case BOARDING:
		abort_flight(f, seen, NULL);
		return;
	case LANDED:
		arrive(f, seen, seen->result);
		return;
	}
	frame = frame_of(seen, (uintptr_t)f);
	if (!frame) { /* none that we understand (an emulator): most signals come after the call */
		count(C_guessed);
		if (seen->landing != LANDS_READ)
			land(seen, seen->landing == LANDS_WRITTEN ? seen->expected : -1);
	} else if (frame[SAVED_PC] < absolute(&site_of(frame[SAVED_PC])->landed)) {
		abort_flight(f, seen, frame);
	} else {
		arrive(f, seen, (long)frame[SAVED_RESULT]);
	}
}

/* By an exception, say: what was under way has most likely been done. */
static void left_behind(const struct look *l)
{
	count(C_left);
	settle(l->ofd, l->w, l->w.off, OURS);
}

void flight_interrupted(struct look *l)
{
	struct flight seen, *f = tls.flight;
	int depth = 0;

	/* A flight below us on our own stack is none any more: its thread has jumped out of it. */
	if (is_below_us(f)) {
		left_behind(l);
		return;
	}
	/*
	 * Peeked at: a handler that jumped out may have left a pointer into a dead part of the
	 * stack.
	 */
	for (; f && depth++ < 16 && ground_peek(&seen, f, sizeof(seen)); f = seen.outer) {
		if (seen.ofd == l->ofd && word_has_mark(l->w, seen.mark)) {
			resolve(f, &seen);
			return;
		}
	}
	left_behind(l);
}

/*
 * Its stack is another thread's, which goes on when it likes.  The result counts only if the flight is
 * still the one that set the mark, and still in flight after the frame has been read: until it has
 * settled, nothing overwrites the frame.  A frame that lies there from an earlier flight has another mark.
 */
static bool result_in_frame(struct flight *f, const struct flight *seen, long *result)
{
	enum { REACH = 16384 };
	uintptr_t top = seen->sp, bottom = top;
	volatile uintptr_t *p;
	char byte;

	while (bottom > top - REACH && ground_peek(&byte, (char *)((bottom - 1) & ~4095UL), 1))
		bottom = (bottom - 1) & ~4095UL;
	p = frame_below(top, bottom, seen, (uintptr_t)f);
	if (!p || p[SAVED_MARK] != seen->mark.ctl ||
	    p[SAVED_PC] < absolute(&site_of(p[SAVED_PC])->landed))
		return false;
	*result = (long)p[SAVED_RESULT];
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return p[SAVED_MARK] == seen->mark.ctl &&
	       __atomic_load_n(&f->phase, __ATOMIC_ACQUIRE) == IN_FLIGHT;
}

void flight_settle_for_owner(struct ofd *o, struct word w)
{
	struct flight seen, *f = __atomic_load_n(&o->flight, __ATOMIC_ACQUIRE);
	uint32_t phase;
	long r;

	if (!f || !ground_peek(&phase, (void *)&f->phase, sizeof(phase)))
		return;
	/* First the phase, then the rest: its owner goes on meanwhile, and sp comes before IN_FLIGHT. */
	phase = __atomic_load_n(&f->phase, __ATOMIC_ACQUIRE);
	if (!ground_peek(&seen, f, sizeof(seen)) || seen.ofd != o || !word_has_mark(w, seen.mark))
		return;
	if (phase == LANDED)
		land(&seen, f->result);
	else if (phase == IN_FLIGHT && result_in_frame(f, &seen, &r))
		land(&seen, r);
}

void flight_settle_reads(struct ofd *o)
{
	struct flight seen, *f = tls.flight;
	int depth = 0;

	for (; f && depth++ < 16 && ground_peek(&seen, f, sizeof(seen)); f = seen.outer)
		if (seen.ofd == o && seen.landing == LANDS_READ &&
		    word_has_mark(word_load(&o->word), seen.mark))
			resolve(f, &seen);
}

void flight_jump(void)
{
	struct flight seen, *f = tls.flight;
	struct word w;
	int depth = 0;

	for (; f && depth++ < 16 && ground_peek(&seen, f, sizeof(seen)); f = seen.outer)
		if (ground_peek(&w, &seen.ofd->word, sizeof(w)) && word_has_mark(w, seen.mark)) {
			count(C_jumped);
			resolve(f, &seen);
		}
	tls.flight = NULL; /* nothing is left for a handler to settle */
	tls.by_syscall = false;
	if (tls.async_cancel) /* which a flight has put off */
		real_pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &depth);
}
