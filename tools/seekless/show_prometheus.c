// SPDX-License-Identifier: MIT
/* Processes' counters in Prometheus's text format, for a node exporter's textfile collector. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "show.h"

static void put_label(const char *name, const char *value)
{
	printf("%s=\"", name);
	for (; *value; value++) { /* it is UTF-8, and printable */
		if (*value == '"' || *value == '\\')
			putchar('\\');
		putchar(*value);
	}
	putchar('"');
}

static void put_process(const char *metric, const struct process *p)
{
	printf("%s{pid=\"%d\",", metric, (int)p->pid);
	put_label("program", p->program);
}

static void head(const char *metric, const char *type, const char *help)
{
	printf("# HELP %s %s\n# TYPE %s %s\n", metric, help, metric, type);
}

static void by_kind(const struct process *p, size_t n)
{
	head("seekless_calls_total", "counter", "What the library has done, by kind.");
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < p[i].root.kinds; k++) {
			put_process("seekless_calls_total", &p[i]);
			putchar(',');
			put_label("kind", p[i].key[k]);
			printf("} %" PRIu64 "\n", p[i].n[k]);
		}
}

static void by_each_reason(const char *metric, uint32_t group, const struct process *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < p[i].root.reasons; k++) {
			const struct seekless_root *r = &p[i].root;

			put_process(metric, &p[i]);
			putchar(',');
			put_label("reason", p[i].key[r->kinds + k]);
			printf("} %" PRIu64 "\n", p[i].n[r->kinds + group * r->reasons + k]);
		}
}

void show_prometheus(const struct process *p, size_t n)
{
	static const char *const states[] = {"on", "off", "audit", "idle", "retired"};

	head("seekless_state", "gauge", "1 for the state that the library is in.");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizeof(states) / sizeof(*states); k++) {
			put_process("seekless_state", &p[i]);
			printf(",state=\"%s\"} %d\n", states[k],
			       !strcmp(states[k], process_state(&p[i])));
		}
	by_kind(p, n);
	head("seekless_passed_total", "counter", "Calls passed to the kernel, by reason.");
	by_each_reason("seekless_passed_total", 0, p, n);
	head("seekless_handed_back_total", "counter",
	     "Offsets handed back to the kernel, by reason.");
	by_each_reason("seekless_handed_back_total", 1, p, n);
	head("seekless_let_go_total", "counter",
	     "Descriptions that the kernel has for good, by reason.");
	by_each_reason("seekless_let_go_total", 2, p, n);
}
