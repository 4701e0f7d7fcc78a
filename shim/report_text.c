/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the report for people. */
#include "report.h"
#include "config.h"
#include "names.h"

static void line(struct text *t, uint64_t n, const char *before, const char *group,
		 const struct named *what)
{
	if (!n)
		return;
	text_str(t, "  ");
	text_num(t, n, 12);
	text_str(t, "  ");
	text_str(t, before);
	text_str(t, name_at(what->words));
	text_str(t, "  (");
	text_str(t, group);
	text_str(t, name_at(what->key));
	text_str(t, ")\n");
}

/* The numbers that are counted by reason. */
static const struct {
	unsigned first;
	const char *words, *group;
} by_reason[] = {
	{C_why, "passed: ", "pass.why."},
	{C_back, "handed back: ", "back."},
	{C_gone, "let go: ", "gone."},
};

/* As `seekless stat` has it (process_lseeks): of the lseeks that the program made and the library saw. */
static void write_saved(struct text *t)
{
	uint64_t saved = count_sum(C_seek_set) + count_sum(C_seek_cur) + count_sum(C_seek_end);
	uint64_t made = saved + count_sum(C_asked) + count_sum(C_pass_lseek);
	uint64_t per_mille = made ? saved * 1000 / made : 0;

	text_str(t, config.audit ? "  would have saved " : "  saved ");
	text_num(t, saved, 0);
	text_str(t, " of ");
	text_num(t, made, 0);
	text_str(t, " lseeks (");
	text_num(t, per_mille / 10, 0);
	text_str(t, ".");
	text_num(t, per_mille % 10, 0);
	text_str(t, " %)\n");
}

static void write_counters(struct text *t)
{
	write_saved(t);
	for (unsigned i = 0; i < C_why; i++)
		line(t, count_sum(i), "", "", &counter_names[i]);
	for (unsigned k = 0; k < sizeof(by_reason) / sizeof(*by_reason); k++)
		for (unsigned i = 0; i < REASONS; i++)
			line(t, count_sum(by_reason[k].first + i), by_reason[k].words,
			     by_reason[k].group, &reason_names[i]);
}

/* A name that cannot end a line, or be a command to a terminal. */
static void write_name(struct text *t, const char *name)
{
	for (const char *c = name; *c; c++)
		text_str(t, (char[]){(unsigned char)*c < ' ' || *c == 127 ? '?' : *c, 0});
}

static void write_fds(struct text *t)
{
	uint64_t below = UINT64_MAX;
	uint32_t saved;
	int fd;

	for (int i = 0; i < REPORT_FDS && (fd = report_next_fd(&below, &saved)) >= 0; i++) {
		text_str(t, "  ");
		text_num(t, saved, 12);
		text_str(t, "  lseeks saved on fd ");
		text_num(t, (uint64_t)fd, 0);
		text_str(t, " ");
		write_name(t, report_path(fd));
		text_str(t, "  (fd)\n");
	}
}

static void write_files(struct text *t)
{
	const struct audit_file *f;
	uint64_t below = UINT64_MAX;

	for (int i = 0; i < REPORT_FILES && (f = report_next_file(&below)); i++) {
		text_str(t, "  ");
		text_num(t, f->saved, 12);
		text_str(t, "  lseeks saved on ");
		write_name(t, f->path);
		text_str(t, "  (file)\n");
	}
}

static void write_offset(struct text *t, int64_t off)
{
	if (off < 0)
		text_str(t, "-");
	text_num(t, off < 0 ? -(uint64_t)off : (uint64_t)off, 0);
}

static void write_disagreements(struct text *t)
{
	for (int i = 0; i < AUDIT_KEPT; i++) {
		const struct disagreement *d = &audit_kept[i];

		if (!d->at)
			continue;
		text_str(t, "  the kernel has ");
		write_offset(t, d->kernels);
		text_str(t, ", the library would have ");
		write_offset(t, d->ours);
		text_str(t, " ");
		text_str(t, d->at);
		text_str(t, " on ");
		text_str(t, "fd ");
		text_num(t, (uint64_t)d->fd, 0);
		text_str(t, " ");
		write_name(t, d->path);
		text_str(t, "  (wrong)\n");
	}
}

void report_text(struct text *t)
{
	text_str(t, "seekless " SEEKLESS_VERSION " pid ");
	text_num(t, (uint64_t)RAW0(SYS_getpid), 0);
	text_str(t, " program ");
	write_name(t, report_program());
	if (config.audit)
		text_str(t,
			 ", audit: the kernel made every call, and this is what would have been");
	text_str(t, "\n");
	write_counters(t);
	write_disagreements(t);
	write_fds(t);
	write_files(t);
	text_str(t, "end pid ");
	text_num(t, (uint64_t)RAW0(SYS_getpid), 0);
	text_str(t, "\n");
}
