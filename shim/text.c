/* SPDX-License-Identifier: MIT */
/* Floor 1: text for people. */
#include "text.h"

void text_flush(struct text *t, int fd)
{
	size_t done = 0;

	while (done < t->n && !t->cut) {
		long r = RAW3(SYS_write, fd, t->buf + done, t->n - done);

		t->cut = r <= 0 && r != -EINTR;
		t->error = r;
		done += r > 0 ? (size_t)r : 0;
	}
	t->n = 0;
}

void text_char(struct text *t, char c)
{
	if (t->n == sizeof(t->buf)) {
		if (t->fd < 0)
			return;
		text_flush(t, t->fd);
	}
	t->buf[t->n++] = c;
}

void text_str(struct text *t, const char *s)
{
	while (*s)
		text_char(t, *s++);
}

void text_num(struct text *t, uint64_t n, int width)
{
	char digits[24];
	int i = sizeof(digits);

	digits[--i] = 0;
	do {
		digits[--i] = (char)('0' + n % 10);
		n /= 10;
	} while (n);
	for (int len = (int)sizeof(digits) - 1 - i; len < width; len++)
		text_str(t, " ");
	text_str(t, digits + i);
}
