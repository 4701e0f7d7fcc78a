// SPDX-License-Identifier: MIT
/* A process's counters as one line of JSON; tools/report.schema.json says what is in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

/* How many bytes at s are one character of UTF-8 (RFC 3629); 0: none. */
static int utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char from, to, second_from, second_to, length;
	} forms[] = {
		{0x20, 0x7e, 0, 0, 1},	     {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		int n = 1;

		if (*s < forms[i].from || *s > forms[i].to)
			continue;
		if (forms[i].length > 1 &&
		    (s[1] < forms[i].second_from || s[1] > forms[i].second_to))
			return 0;
		for (n = 2; n < forms[i].length; n++)
			if ((s[n] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

/* A file's name may be any bytes: what is no UTF-8 becomes U+FFFD. */
static void put_string(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	putchar('"');
	while (*s) {
		int n = utf8_length(s);

		if (!n) {
			fputs("\xef\xbf\xbd", stdout);
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			putchar('\\');
		fwrite(s, 1, (size_t)n, stdout);
		s += n;
	}
	putchar('"');
}

static void put_counters(const struct process *p)
{
	const struct seekless_root *r = &p->root;
	const char *comma = "";

	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t reason = i < r->kinds ? 0 : (i - r->kinds) % r->reasons;

		if (!p->n[i])
			continue;
		printf("%s\"%s%s\":%" PRIu64, comma,
		       i < r->kinds ? "" : by_reason[(i - r->kinds) / r->reasons].group,
		       i < r->kinds ? p->key[i] : p->key[r->kinds + reason], p->n[i]);
		comma = ",";
	}
}

static void put_files(const struct process *p)
{
	size_t n;
	struct followed *f = best_files(p, &n, 5);
	const char *comma = "";

	for (size_t i = 0; f && i < n; i++) {
		char path[4096];

		if (!process_path(p, f[i].fd, path, sizeof(path)))
			continue;
		printf("%s{\"fd\":%d,\"path\":", comma, f[i].fd);
		put_string(path);
		printf(",\"saved\":%" PRIu32 "}", f[i].saved);
		comma = ",";
	}
	free(f);
}

static void put_disagreements(const struct process *p)
{
	struct disagreement d[16];
	size_t n = process_disagreements(p, d, sizeof(d) / sizeof(*d));

	for (size_t i = 0; i < n; i++) {
		printf("%s{\"fd\":%d,\"path\":", i ? "," : "", d[i].fd);
		put_string(d[i].path);
		printf(",\"at\":");
		put_string(d[i].at);
		printf(",\"kernel\":%" PRId64 ",\"library\":%" PRId64 "}", d[i].kernels, d[i].ours);
	}
}

void show_json(const struct process *p)
{
	printf("{\"seekless\":");
	put_string(p->root.version);
	printf(",\"pid\":%d,\"started\":%" PRIu64 ",\"program\":", (int)p->pid, p->root.started);
	put_string(p->program);
	printf(",\"state\":\"%s\",\"counters\":{", process_state(p));
	put_counters(p);
	printf("},\"files\":[");
	put_files(p);
	printf("],\"disagreements\":[");
	put_disagreements(p);
	puts("]}");
}
