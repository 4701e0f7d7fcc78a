/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: the report for machines, a line of JSON; tools/report.schema.json says what is in it. */
#include "report.h"
#include "config.h"
#include "names.h"
#include "root.h"

/* How many bytes at s are one character of UTF-8 (RFC 3629), and no control character; 0: none. */
static int utf8_length(const unsigned char *s)
{
	unsigned char first = 0x80, last = 0xbf; /* of the second byte */
	int n = *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	if (*s < 0x80)
		return *s >= ' ' && *s != 127;
	if (*s < 0xc2 || *s > 0xf4)
		return 0;
	if (*s == 0xc2 || *s == 0xe0)
		first = 0xa0; /* those of 0xc2 before it are controls */
	if (*s == 0xed)
		last = 0x9f;
	if (*s == 0xf0)
		first = 0x90;
	if (*s == 0xf4)
		last = 0x8f;
	if (s[1] < first || s[1] > last)
		return 0;
	for (int i = 2; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* A name may be any bytes: controls, and what is no UTF-8, become '?', as in `seekless stat`. */
static void write_string(struct text *t, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	text_char(t, '"');
	while (*s) {
		int n = utf8_length(s);

		if (!n) {
			text_char(t, '?');
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			text_char(t, '\\');
		while (n--)
			text_char(t, (char)*s++);
	}
	text_char(t, '"');
}

static void write_number(struct text *t, int64_t n)
{
	if (n < 0)
		text_char(t, '-');
	text_num(t, n < 0 ? -(uint64_t)n : (uint64_t)n, 0);
}

static void write_key(struct text *t, const char *before, const char *key)
{
	text_str(t, before);
	text_str(t, key);
	text_str(t, "\":");
}

static const char *state(void)
{
	return !hot.size ? "retired" : hot_get(&hot.off) ? "off" : config.audit ? "audit" : "on";
}

static void write_counters(struct text *t)
{
	static const char *const groups[] = {"pass.why.", "back.", "gone."};
	const char *before = "\"";

	for (unsigned i = 0; i < COUNTERS; i++) {
		unsigned reason = i < C_why ? 0 : (i - C_why) % REASONS;
		uint64_t n = count_sum(i);

		if (!n)
			continue;
		text_str(t, before);
		if (i < C_why)
			write_key(t, "", name_at(counter_names[i].key));
		else
			write_key(t, groups[(i - C_why) / REASONS],
				  name_at(reason_names[reason].key));
		text_num(t, n, 0);
		before = ",\"";
	}
}

static void write_files(struct text *t)
{
	const char *before = "{\"";
	const struct audit_file *f;
	uint64_t below = UINT64_MAX;
	uint32_t saved;
	int fd;

	for (int i = 0; i < REPORT_FDS && (fd = report_next_fd(&below, &saved)) >= 0; i++) {
		write_key(t, before, "fd");
		text_num(t, (uint64_t)fd, 0);
		write_key(t, ",\"", "path");
		write_string(t, report_path(fd));
		write_key(t, ",\"", "saved");
		text_num(t, saved, 0);
		text_char(t, '}');
		before = ",{\"";
	}
	below = UINT64_MAX;
	for (int i = 0; i < REPORT_FILES && (f = report_next_file(&below)); i++) {
		write_key(t, before, "path");
		write_string(t, f->path);
		write_key(t, ",\"", "saved");
		text_num(t, f->saved, 0);
		write_key(t, ",\"", "calls");
		text_num(t, f->calls, 0);
		text_char(t, '}');
		before = ",{\"";
	}
}

static void write_disagreements(struct text *t)
{
	const char *before = "{\"";

	for (int i = 0; i < AUDIT_KEPT; i++) {
		const struct disagreement *d = &audit_kept[i];

		if (!d->at)
			continue;
		write_key(t, before, "fd");
		text_num(t, (uint64_t)d->fd, 0);
		write_key(t, ",\"", "path");
		write_string(t, d->path);
		write_key(t, ",\"", "at");
		write_string(t, d->at);
		write_key(t, ",\"", "kernel");
		write_number(t, d->kernels);
		write_key(t, ",\"", "library");
		write_number(t, d->ours);
		text_char(t, '}');
		before = ",{\"";
	}
}

void report_json(struct text *t)
{
	write_key(t, "{\"", "seekless");
	write_string(t, SEEKLESS_VERSION);
	write_key(t, ",\"", "pid");
	text_num(t, (uint64_t)RAW0(SYS_getpid), 0);
	write_key(t, ",\"", "started");
	text_num(t, seekless_root.started, 0);
	write_key(t, ",\"", "program");
	write_string(t, report_program());
	write_key(t, ",\"", "state");
	write_string(t, state());
	write_key(t, ",\"", "counters");
	text_char(t, '{');
	write_counters(t);
	write_key(t, "},\"", "files");
	text_char(t, '[');
	write_files(t);
	write_key(t, "],\"", "disagreements");
	text_char(t, '[');
	write_disagreements(t);
	text_str(t, "]}\n");
}
