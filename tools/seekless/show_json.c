// SPDX-License-Identifier: MIT
/* A process's counters as one line of JSON; tools/report.schema.json says what is in it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"

/* All text is printable UTF-8 here. */
static void put_text(const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
}

static void put_string(const char *s)
{
	putchar('"');
	put_text(s);
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
		printf("%s\"%s", comma,
		       i < r->kinds ? "" : by_reason[(i - r->kinds) / r->reasons].group);
		put_text(i < r->kinds ? p->key[i] : p->key[r->kinds + reason]);
		printf("\":%" PRIu64, p->n[i]);
		comma = ",";
	}
}

static void put_kept_files(const struct process *p, const char *comma)
{
	size_t n;
	struct seekless_file *f = process_files(p, &n, 32);

	for (size_t i = 0; i < n; i++) {
		printf("%s{\"path\":", comma);
		put_string(f[i].path);
		printf(",\"saved\":%" PRIu64 ",\"calls\":%" PRIu64 "}", f[i].saved, f[i].calls);
		comma = ",";
	}
	free(f);
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
	put_kept_files(p, comma);
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
