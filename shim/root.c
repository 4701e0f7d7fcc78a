/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the root of what other processes may read; filled in by the linker, mostly. */
#include "root.h"
#include "audit.h"
#include "config.h"
#include "hot.h"
#include "names.h"
#include <time.h>

#define AT(object) ((uint64_t)(object))

_Static_assert(sizeof(SEEKLESS_VERSION) <= sizeof((struct seekless_root){0}.version), "");
_Static_assert(offsetof(struct ofd, word) == 0 && offsetof(struct word, off) == 0 &&
		       offsetof(struct word, ctl) == 8,
	       "as include/seekless.h says");
_Static_assert(sizeof(struct disagreement) == sizeof(struct seekless_disagreement) &&
		       offsetof(struct disagreement, path) ==
			       offsetof(struct seekless_disagreement, path) &&
		       offsetof(struct disagreement, ours) ==
			       offsetof(struct seekless_disagreement, ours),
	       "as include/seekless.h says");

_Static_assert(sizeof(struct audit_file) == sizeof(struct seekless_file) &&
		       offsetof(struct audit_file, saved) ==
			       offsetof(struct seekless_file, saved) &&
		       offsetof(struct audit_file, path) == offsetof(struct seekless_file, path),
	       "as include/seekless.h says");

USED struct seekless_root seekless_root = {
	.magic = SEEKLESS_MAGIC,
	.layout = SEEKLESS_LAYOUT,
	.size = sizeof(struct seekless_root),
	.version = SEEKLESS_VERSION,
	.kinds = C_why,
	.blocks = AT(&count_blocks),
	.n = COUNTERS,
	.reasons = REASONS,
	.block_n = offsetof(struct block, n),
	.block_next = offsetof(struct block, next),
	.names = AT(&names),
	.names_size = sizeof(names),
	.ofd_size = sizeof(struct ofd),
	.slots = AT(hot.slot),
	.slots_high = AT(&hot.high),
	.slot_flags = S_FLAGS | S_LATE,
	.state_mask = W_STATE,
	.seq_one = W_SEQ_ONE,
	.ctl_kept = W_APPEND | W_ADMITTED,
	.state_kernel = KERNEL,
	.state_held = OURS,
	.state_gone = GONE,
	.state_audited = AUDITED,
	.saved = offsetof(struct ofd, saved),
	.why = offsetof(struct ofd, why),
	.disagreements = AT(audit_kept),
	.disagreements_n = AUDIT_KEPT,
	.off = AT(&hot.off),
	.follows = AT(&hot.size),
	.files = AT(audit_files),
	.files_n = AUDIT_FILES,
	.file_size = sizeof(struct audit_file),
};

/* The way to it for who has only the library's first page. */
__asm__(".pushsection .note.seekless, \"a\", %note\n"
	".balign 4\n"
	".long 9, 8, 1\n" /* lengths of the name and of what follows it; SEEKLESS_LAYOUT */
	".asciz \"seekless\"\n"
	".balign 4\n"
	"1: .quad seekless_root - 1b\n"
	".popsection");
_Static_assert(SEEKLESS_LAYOUT == 1 && sizeof(SEEKLESS_NOTE) == 9, "see above");

static void note_time(void)
{
	struct timespec now = {0, 0};

	if (!config.filtered) /* else it might kill for the question */
		RAW2(SYS_clock_gettime, CLOCK_REALTIME, &now);
	seekless_root.started = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec + 1;
}

/* Process numbers are used again: who collects reports tells a child from its sister by the time. */
void root_reset_in_child(void)
{
	if (config.at_exit && hot.size) /* a filter of the program's own may kill for it */
		note_time();
}

void root_start(void)
{
	if (config.hidden)
		seekless_root.magic = 0;
	if (!config.on)
		return;
	note_time();
	seekless_root.state = config.audit ? SEEKLESS_AUDIT : SEEKLESS_ON;
}
