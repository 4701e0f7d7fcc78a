/* SPDX-License-Identifier: MIT */
/* The table for people, and the JSON for machines. */
#include "bench.h"
#include <string.h>

static const char *const variant_name[VARIANTS] = {
	"native", "native again", "shim", "positioned", "empty preload", "shim off", "uncounted",
};

const char *row_against(const struct row *row, enum variant v)
{
	return v == POSITIONED ? row->rewrite : variant_name[v];
}

/* ---- table ---- */

#define COLUMNS "%-6s %-36s %-16s %9s %9s  %-8s %-16s %-16s %-9s %s\n"

void show_head(void)
{
	printf(COLUMNS, "where", "what", "against", "it takes", "shim", "is", "90 % interval",
	       "A/A", "target", "");
}

static void put_number(char *to, size_t n, double x)
{
	double size = x < 0 ? -x : x;

	snprintf(to, n, "%.*f", size < 10 ? 2 : size < 100 ? 1 : 0, x);
}

static void put_interval(char *to, size_t n, struct interval i)
{
	char low[24], high[24];

	put_number(low, sizeof(low), i.low);
	put_number(high, sizeof(high), i.high);
	snprintf(to, n, "%s .. %s", low, high);
}

static void put_figure(char *to, size_t n, const struct row *row, double x)
{
	char number[24];

	put_number(number, sizeof(number), x / row->per_unit);
	snprintf(to, n, "%s %s", number, row->unit);
}

static void put_result(char *to, size_t n, enum how how, double x)
{
	char number[24];

	put_number(number, sizeof(number), x);
	snprintf(to, n, "%s%s%s", how == OVER && x >= 0 ? "+" : "", number,
		 how == TIMES ? "x" : "");
}

static void put_target(char *to, size_t n, const struct row *row, const struct comparison *c)
{
	if (!c->target)
		snprintf(to, n, "-");
	else if (c->how == TIMES)
		snprintf(to, n, ">= %.2fx", c->target);
	else
		snprintf(to, n, "<= %.0f %s", c->target, row->unit);
}

void show_finding(const struct row *row, const struct place *p, const struct comparison *c,
		  const struct finding *f, bool first)
{
	char other[32], shim[32], is[32], spread[64], aa[64], target[48], name[80];
	const char *figure = row->figure[c->figure];

	snprintf(name, sizeof(name), "%s%s%s", row->name, figure ? ", " : "",
		 figure ? figure : "");
	put_figure(other, sizeof(other), row, f->other.median);
	put_figure(shim, sizeof(shim), row, f->shim.median);
	put_result(is, sizeof(is), c->how, f->is.median);
	put_interval(spread, sizeof(spread), f->is);
	if (c->how == ITSELF)
		strcpy(aa, "-");
	else
		put_interval(aa, sizeof(aa), f->aa);
	put_target(target, sizeof(target), row, c);
	printf(COLUMNS, row->everywhere ? p->system : "", first || figure ? name : "",
	       c->how == ITSELF ? "-" : row_against(row, c->against),
	       c->how == ITSELF ? "-" : other, shim, is, spread, aa, target, f->verdict);
	fflush(stdout);
}

/* ---- JSON ---- */

static void put_string(FILE *f, const char *s)
{
	putc('"', f);
	for (; *s; s++) {
		if ((unsigned char)*s < ' ')
			fprintf(f, "\\u%04x", (unsigned)*s);
		else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			putc(*s, f);
	}
	putc('"', f);
}

static const char *separator = "";

void json_begin(FILE *f, int argc, char **about)
{
	fprintf(f, "{\n\"machine\": {");
	for (int i = 0; i < argc; i++) {
		char *equals = strchr(about[i], '=');

		if (!equals)
			continue;
		*equals = 0;
		fprintf(f, "%s\n  ", i ? "," : "");
		put_string(f, about[i]);
		fprintf(f, ": ");
		put_string(f, equals + 1);
		*equals = '=';
	}
	fprintf(f, "\n},\n\"interval\": \"90 %%, of the median of paired slices, by the sign "
		   "test\",");
	fprintf(f, "\n\"rows\": [");
	separator = "";
}

static void put_numbers(FILE *f, const char *key, struct interval i)
{
	fprintf(f, "\"%s\": {\"median\": %.6g, \"low\": %.6g, \"high\": %.6g}", key, i.median,
		i.low, i.high);
}

void json_row(FILE *f, const struct row *row, const struct place *p, const struct slices *s)
{
	const char *comma = "";

	fprintf(f, "%s\n{\"what\": ", separator);
	put_string(f, row->name);
	fprintf(f, ", \"where\": ");
	put_string(f, p->system);
	fprintf(f, ", \"workload\": \"%s\", \"size\": %zu, \"count\": %d, \"slices\": %d,\n",
		row->workload, row->size, row->count, s->rounds);
	fprintf(f, " \"takes\": {");
	for (int v = 0; v < VARIANTS; v++)
		for (int i = 0; s->ran[v] && i < FIGURES; i++) {
			if (i && !row->figure[i])
				continue;
			fprintf(f, "%s\"%s%s%s\": %.6g", comma, variant_name[v],
				row->figure[i] ? " " : "", row->figure[i] ? row->figure[i] : "",
				interval_of(s->taken[v][i], s->rounds).median);
			comma = ", ";
		}
	fprintf(f, "},\n \"findings\": [");
	separator = "";
}

void json_finding(FILE *f, const struct row *row, const struct comparison *c,
		  const struct finding *x)
{
	static const char *const how[] = {"", "times as fast as", "more than", "itself"};

	fprintf(f, "%s\n  {\"is\": \"%s\", \"against\": ", separator, how[c->how]);
	put_string(f, c->how == ITSELF ? "" : row_against(row, c->against));
	fprintf(f, ", \"figure\": \"%s\", \"unit\": \"%s\",\n   ",
		row->figure[c->figure] ? row->figure[c->figure] : "",
		c->how == TIMES ? "" : row->unit);
	put_numbers(f, "shim", x->is);
	fprintf(f, ", ");
	put_numbers(f, "A/A", x->aa);
	if (c->target)
		fprintf(f, ", \"target\": %g, \"verdict\": \"%s\"", c->target, x->verdict);
	fprintf(f, "}");
	separator = ",";
}

void json_row_end(FILE *f)
{
	fprintf(f, "]}");
	separator = ",";
}

void json_end(FILE *f)
{
	fprintf(f, "\n]\n}\n");
}
