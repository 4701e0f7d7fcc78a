/* SPDX-License-Identifier: MIT */
/*
 * A history as a list of calls, whoever chose them: as text ("name:1:2,name:3,end"), as it runs,
 * and as a C program.
 */
#ifndef SEEKLESS_DIFF_SCRIPT_H
#define SEEKLESS_DIFF_SCRIPT_H

#include "passing.h"
#include "numbers.h"

enum { ARGS = 9, NEW = 1, CLOSES = 2, NUMBERS_CHANGE = 4, BLOCKS = 8 };
#define NUMBERS NUMBERS_CHANGE

enum op {
#define OP(name, what, ...) OP_##name,
#include "ops.def"
#undef OP
	OP_end,
	OPS
};

struct call {
	enum op op;
	long a[ARGS];
};

static const struct {
	const char *name, *text;
	int what;
} ops[] = {
#define OP(name, what, ...) {#name, #__VA_ARGS__, what},
#include "ops.def"
#undef OP
	{"end", "", 0},
};

/* ---- text ---- */

static char *call_to_text(char *at, const struct call *c)
{
	int n = ARGS;

	while (n > 0 && !c->a[n - 1])
		n--;
	at = stpcpy(at, ops[c->op].name);
	for (int i = 0; i < n; i++)
		at += sprintf(at, ":%ld", c->a[i]);
	return at;
}

/* Behind the call, at its ',' or end; NULL where there is none. */
static const char *call_from_text(const char *at, struct call *c)
{
	size_t n = strcspn(at, ":,\n");
	char *end;

	memset(c, 0, sizeof *c);
	while (c->op < OPS && (strlen(ops[c->op].name) != n || strncmp(ops[c->op].name, at, n)))
		c->op++;
	if (c->op == OPS)
		return NULL;
	at += n;
	for (int i = 0; *at == ':' && i < ARGS; i++, at = end)
		c->a[i] = strtol(at + 1, &end, 10);
	return at;
}

/* The end that belongs to the block that begins at c, or the end of all. */
static const struct call *block_end(const struct call *c, const struct call *end)
{
	int open = 1;

	while (++c < end) {
		if (ops[c->op].what & BLOCKS)
			open++;
		else if (c->op == OP_end && --open == 0)
			break;
	}
	return c;
}

static void block_to_text(char *at, const struct call *c, const struct call *end)
{
	char *start = at;

	for (*at = 0; c < end && at - start < BLOCK_LENGTH - 300; c++) {
		at = call_to_text(at, c);
		*at++ = ',';
	}
	if (at > start)
		at--;
	*at = 0;
}

/* What is shown of a call: its expression, with the arguments in their places. */
static char *show_number(char *at, long v, const char *letter)
{
	if (!strncmp(letter - 5, "PATH(", 5) && v >= 0 && v < PATHS)
		return at - 5 + sprintf(at - 5, "\"%s\"", paths[v]);
	if (!strncmp(letter - 5, "MODE(", 5) && v >= 0 && v < 8)
		return at - 5 + sprintf(at - 5, "\"%s\"", modes[v]);
	if (v == LONG_MIN)
		return stpcpy(at, "LONG_MIN");
	return at + sprintf(at, v > INT_MAX || v < INT_MIN ? "%ldL" : "%ld", v);
}

static int is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static void show_call(char *at, const struct call *c, const char *block)
{
	const char *text = ops[c->op].text, *p = text;

	while (*p) {
		if (*p >= 'A' && *p <= 'I' && !is_word(p[1]) && p > text && !is_word(p[-1])) {
			char *before = at;

			at = show_number(at, c->a[*p - 'A'], p);
			p += at < before || at[-1] == '"' ? 2 : 1; /* without the ")" of PATH() */
		} else if (!strncmp(p, "BLOCK", 5)) {
			at = stpcpy(at, block);
			p += 5;
		} else {
			*at++ = *p++;
		}
	}
	*at = 0;
}

/* ---- as it runs ---- */

static long make(const struct call *c, const char *block)
{
	switch (c->op) {
#define A (c->a[0])
#define B (c->a[1])
#define C (c->a[2])
#define D (c->a[3])
#define E (c->a[4])
#define F (c->a[5])
#define G (c->a[6])
#define H (c->a[7])
#define I (c->a[8])
#define BLOCK block
#define OP(name, what, ...)                                                                        \
	case OP_##name:                                                                            \
		return __VA_ARGS__;
#include "ops.def"
#undef OP
#undef A
#undef B
#undef C
#undef D
#undef E
#undef F
#undef G
#undef H
#undef I
#undef BLOCK
	default:
		return NOT_MADE;
	}
}

static void learn_from(const struct call *c, long r)
{
	if (in_parents_memory)
		return;
	if (ops[c->op].what & NEW && r >= 0)
		learn(r);
	if (ops[c->op].what & CLOSES)
		forget((int)c->a[0]);
	if (ops[c->op].what & NUMBERS)
		revise();
}

static void perform(const struct call *c, const char *block)
{
	jmp_buf here, *volatile outer = jump_to;
	char text[1000] = "";
	long r;

	if (verbose)
		show_call(text, c, "...");
	begin(text);
	jump_to = &here;
	if (_setjmp(here))
		r = jumped();
	else
		r = make(c, block);
	done(r);
	jump_to = outer;
	learn_from(c, r);
}

static void run_calls(const struct call *c, const struct call *end)
{
	char *text = NULL;

	for (; c < end; c++) {
		const struct call *last = c;

		if (ops[c->op].what & BLOCKS) {
			if (!text)
				text = alloca(BLOCK_LENGTH);
			last = block_end(c, end);
			block_to_text(text, c + 1, last);
		}
		if (c->op != OP_end)
			perform(c, text);
		c = last;
	}
}

static void run_text(const char *text)
{
	enum { MOST = 120 };
	struct call calls[MOST];
	int n = 0;

	for (const char *at = text; at && *at && n < MOST; n++) {
		at = call_from_text(at, &calls[n]);
		if (!at)
			break;
		at += *at == ',';
	}
	run_calls(calls, calls + n);
}

#endif
