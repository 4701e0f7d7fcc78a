// SPDX-License-Identifier: MIT
/* Reads a line that the library has written, and nothing else: each key in its place. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"

struct cursor {
	const char *at;
	char *strings; /* where the next one goes: never more than what the line has */
	bool ok;
};

static bool has(struct cursor *c, const char *literal)
{
	size_t n = strlen(literal);

	if (!c->ok || strncmp(c->at, literal, n))
		return false;
	c->at += n;
	return true;
}

static void expect(struct cursor *c, const char *literal)
{
	c->ok = has(c, literal);
}

static uint64_t number(struct cursor *c)
{
	bool is_one = *c->at >= '1' && *c->at <= '9';
	char *end;
	uint64_t n;

	if (has(c, "0"))
		return 0;
	c->ok = c->ok && is_one;
	if (!c->ok)
		return 0;
	errno = 0;
	n = strtoull(c->at, &end, 10);
	c->ok = !errno;
	c->at = end;
	return n;
}

static int64_t signed_number(struct cursor *c)
{
	return has(c, "-") ? (int64_t)-number(c) : (int64_t)number(c);
}

/* Escaped are only quotes and backslashes. */
static const char *string(struct cursor *c)
{
	char *start = c->strings;

	expect(c, "\"");
	while (c->ok && *c->at != '"') {
		if (*c->at == '\\' && (c->at[1] == '"' || c->at[1] == '\\'))
			c->at++;
		else if ((unsigned char)*c->at < ' ' || *c->at == '\\')
			c->ok = false;
		if (c->ok)
			*c->strings++ = *c->at++;
	}
	expect(c, "\"");
	*c->strings++ = '\0';
	return start;
}

/* One more of an array of items; NULL, and no more is read, where there is no memory. */
static void *one_more(struct cursor *c, void *array, size_t *n, size_t size)
{
	void *more = (*n & (*n - 1)) ? array : realloc(array, (*n ? 2 * *n : 1) * size);

	if (!more)
		c->ok = false;
	else
		++*n;
	return more ? more : array;
}

static void read_counters(struct cursor *c, struct told *t)
{
	expect(c, ",\"counters\":{");
	while (c->ok && *c->at != '}') {
		struct told_counter one;

		if (t->n_counters)
			expect(c, ",");
		one.key = string(c);
		expect(c, ":");
		one.n = number(c);
		t->counters = one_more(c, t->counters, &t->n_counters, sizeof(one));
		if (c->ok)
			t->counters[t->n_counters - 1] = one;
	}
}

static void read_files(struct cursor *c, struct told *t)
{
	expect(c, "},\"files\":[");
	while (c->ok && *c->at != ']') {
		struct told_file one = {0};

		expect(c, t->n_files ? ",{" : "{");
		if (has(c, "\"fd\":")) {
			number(c);
			expect(c, ",");
		}
		expect(c, "\"path\":");
		one.path = string(c);
		expect(c, ",\"saved\":");
		one.saved = number(c);
		if (has(c, ",\"calls\":"))
			one.calls = number(c);
		expect(c, "}");
		t->files = one_more(c, t->files, &t->n_files, sizeof(one));
		if (c->ok)
			t->files[t->n_files - 1] = one;
	}
}

static void read_wrongs(struct cursor *c, struct told *t)
{
	expect(c, "],\"disagreements\":[");
	while (c->ok && *c->at != ']') {
		struct told_wrong one;

		expect(c, t->n_wrongs ? ",{\"fd\":" : "{\"fd\":");
		one.fd = (int)number(c);
		expect(c, ",\"path\":");
		one.path = string(c);
		expect(c, ",\"at\":");
		one.at = string(c);
		expect(c, ",\"kernel\":");
		one.kernel = signed_number(c);
		expect(c, ",\"library\":");
		one.library = signed_number(c);
		expect(c, "}");
		t->wrongs = one_more(c, t->wrongs, &t->n_wrongs, sizeof(one));
		if (c->ok)
			t->wrongs[t->n_wrongs - 1] = one;
	}
}

bool told_read(char *line, struct told *t)
{
	struct cursor c = {.at = line, .ok = true};

	memset(t, 0, sizeof(*t));
	c.strings = t->strings =
		malloc(strlen(line) + 16); /* the ends of a few that are not there */
	if (!t->strings)
		return false;
	expect(&c, "{\"seekless\":");
	t->version = string(&c);
	expect(&c, ",\"pid\":");
	t->pid = (pid_t)number(&c);
	expect(&c, ",\"started\":");
	t->started = number(&c);
	expect(&c, ",\"program\":");
	t->program = string(&c);
	expect(&c, ",\"state\":");
	t->state = string(&c);
	read_counters(&c, t);
	read_files(&c, t);
	read_wrongs(&c, t);
	expect(&c, "]}");
	if (c.ok && !*c.at) {
		t->line = line;
		return true;
	}
	told_free(t);
	return false;
}

void told_free(struct told *t)
{
	free(t->line);
	free(t->strings);
	free(t->counters);
	free(t->files);
	free(t->wrongs);
	memset(t, 0, sizeof(*t));
}

uint64_t told_counter(const struct told *t, const char *key)
{
	for (size_t i = 0; i < t->n_counters; i++)
		if (!strcmp(t->counters[i].key, key))
			return t->counters[i].n;
	return 0;
}
