/* SPDX-License-Identifier: MIT */
/*
 * A list of calls as a C program.  It shows the calls, blocks as functions of their own; what they
 * are made with, the same as in a history, is put before it by test/diff/shrink.
 */
#ifndef SEEKLESS_DIFF_PRINT_H
#define SEEKLESS_DIFF_PRINT_H

#include "prepare.h"
#include "script.h"

static int blocks_printed;

static void print_calls(const struct call *c, const struct call *end);

/* Functions first, the inner ones before the outer ones; each call remembers its block's number. */
static void print_blocks(struct call *c, struct call *end)
{
	for (; c < end; c++) {
		struct call *last = c + (block_end(c, end) - c);

		if (!(ops[c->op].what & BLOCKS))
			continue;
		print_blocks(c + 1, last);
		c->a[ARGS - 1] = ++blocks_printed;
		printf("static void block_%d(void)\n{\n", blocks_printed);
		print_calls(c + 1, last);
		printf("}\n\n");
		c = last;
	}
}

static void print_calls(const struct call *c, const struct call *end)
{
	char text[1000], number[24] = "";

	for (; c < end; c++) {
		if (c->op == OP_end)
			continue;
		if (ops[c->op].what & BLOCKS)
			snprintf(number, sizeof number, "\"%ld\"", c->a[ARGS - 1]);
		show_call(text, c, number);
		printf("\tCALL(%s);\n", text);
		if (ops[c->op].what & BLOCKS)
			c = block_end(c, end);
	}
}

static int print_program(struct call *calls, size_t n)
{
	print_blocks(calls, calls + n);
	printf("static void run_text(const char *text)\n{\n\tswitch (atoi(text)) {\n");
	for (int i = 1; i <= blocks_printed; i++)
		printf("\tcase %d:\n\t\tblock_%d();\n\t\tbreak;\n", i, i);
	printf("\tdefault:\n\t\tbreak;\n\t}\n}\n\n");
	printf("int main(int argc, char **argv)\n{\n\tverbose = 1;\n"
	       "\tif (argc == 4) /* the program that was started */\n"
	       "\t\treturn started(argv[3]);\n\tprepare();\n");
	print_calls(calls, calls + n);
	printf("\tflush_lines();\n\t_exit(0);\n}\n");
	return 0;
}

#endif
