// SPDX-License-Identifier: MIT
/*
 * A library whose memory tells lies, for test/real/stat: built as libseekless-fake.so, it has the
 * note and the root that include/seekless.h describes.  LIE in the environment says which.
 */
// flags: -shared -fPIC
#include <stddef.h>
#include <seekless.h>
#include <stdlib.h>
#include <string.h>

static struct block {
	uint64_t n[4];
	struct block *next;
} block = {{7, 7, 7, 7}, NULL};
static struct block *blocks = &block;
static const char names[] = "seek.set\0\033[31mwords\233\0unseeked\0because";
static uint32_t high = 3, off, follows = 1;
static struct description {
	int64_t offset;
	uint64_t ctl;
	uint32_t saved, why;
} description = {5, 6, 7, 0};
static void *slots[] = {&description, NULL, &description};
static struct seekless_disagreement wrong = {
	3, 0, (uint64_t)names, 1, 2, "/a\nb\033]0;title\a\xc2\x9b",
};

__attribute__((visibility("hidden"), used)) struct seekless_root seekless_root = {
	.magic = SEEKLESS_MAGIC,
	.layout = SEEKLESS_LAYOUT,
	.size = sizeof(struct seekless_root),
	.version = "\033[2J567890123456", /* without an end */
	.state = SEEKLESS_ON,
	.kinds = 1,
	.blocks = (uint64_t)&blocks,
	.n = 4,
	.reasons = 1,
	.block_next = offsetof(struct block, next),
	.names = (uint64_t)names,
	.names_size = sizeof(names),
	.ofd_size = sizeof(description),
	.slots = (uint64_t)slots,
	.slots_high = (uint64_t)&high,
	.saved = 16,
	.why = 20,
	.disagreements = (uint64_t)&wrong,
	.disagreements_n = 1,
	.off = (uint64_t)&off,
	.follows = (uint64_t)&follows,
	.started = 1,
};

__asm__(".pushsection .note.seekless, \"a\", %note\n"
	".balign 4\n"
	".long 9, 8, 1\n"
	".asciz \"seekless\"\n"
	".balign 4\n"
	"1: .quad seekless_root - 1b\n"
	".popsection");

static __attribute__((constructor)) void lie(void)
{
	struct seekless_root *r = &seekless_root;
	const char *what = getenv("LIE");

	if (!what || !strcmp(what, "text"))
		return;
	if (!strcmp(what, "circle"))
		block.next = &block;
	else if (!strcmp(what, "blocks"))
		blocks = (struct block *)16;
	else if (!strcmp(what, "names"))
		r->names_size = UINT32_MAX;
	else if (!strcmp(what, "few-names"))
		r->names_size = 12;
	else if (!strcmp(what, "kinds"))
		r->kinds = UINT32_MAX, r->reasons = 2, r->n = 5;
	else if (!strcmp(what, "n"))
		r->n = UINT32_MAX;
	else if (!strcmp(what, "nothing"))
		r->kinds = r->reasons = r->n = 0;
	else if (!strcmp(what, "high"))
		high = UINT32_MAX;
	else if (!strcmp(what, "slots"))
		high = 1 << 20;
	else if (!strcmp(what, "saved"))
		r->saved = UINT32_MAX - 1;
	else if (!strcmp(what, "ofd"))
		r->ofd_size = UINT32_MAX;
	else if (!strcmp(what, "wrong"))
		r->disagreements_n = UINT32_MAX, wrong.at = 0;
	else if (!strcmp(what, "magic"))
		r->magic = 5;
	else if (!strcmp(what, "size"))
		r->size = 8;
	else
		abort();
}
