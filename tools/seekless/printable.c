// SPDX-License-Identifier: MIT
/* Text from elsewhere, for a terminal. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "printable.h"

int utf8_length(const char *text)
{
	/* Without the controls, those of two bytes (U+0080 to U+009F) among them. */
	static const struct {
		unsigned char from, to, second_from, second_to, length;
	} forms[] = {
		{0x20, 0x7e, 0, 0, 1},	     {0xc2, 0xc2, 0xa0, 0xbf, 2},
		{0xc3, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
	};
	const unsigned char *s = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (*s < forms[i].from || *s > forms[i].to)
			continue;
		if (forms[i].length > 1 &&
		    (s[1] < forms[i].second_from || s[1] > forms[i].second_to))
			return 0;
		for (int n = 2; n < forms[i].length; n++)
			if ((s[n] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

void make_printable(char *s)
{
	while (*s) {
		int n = utf8_length(s);

		if (!n)
			*s = '?';
		s += n ? n : 1;
	}
}

/* The next character, and how many columns it takes; one that the locale has not is a '?'. */
static int next_character(const char **text, const char **shown, size_t *length)
{
	int n = utf8_length(*text), width = 1;
	wchar_t wide;

	*shown = "?";
	*length = 1;
	if (n == 1 ||
	    (n > 1 && mbtowc(&wide, *text, (size_t)n) == n && (width = wcwidth(wide)) >= 0)) {
		*shown = *text;
		*length = (size_t)n;
	} else {
		width = 1;
	}
	*text += n ? n : 1;
	return width;
}

void fit_columns(char *to, size_t size, const char *text, int columns)
{
	bool right = columns < 0;
	size_t at = 0, blanks;

	columns = right ? -columns : columns;
	while (*text) {
		const char *next = text, *shown;
		size_t length;
		int width = next_character(&next, &shown, &length);

		if (width > columns || at + length + (size_t)columns + 1 > size)
			break;
		memcpy(to + at, shown, length);
		at += length;
		columns -= width;
		text = next;
	}
	blanks = (size_t)columns < size - at - 1 ? (size_t)columns : size - at - 1;
	if (right)
		memmove(to + blanks, to, at);
	memset(right ? to : to + at, ' ', blanks);
	to[at + blanks] = '\0';
}
