// SPDX-License-Identifier: MIT
/* Strings for JSON. */
#include <stdint.h>
#include <stdio.h>

#include "seekless.h"

/* How many bytes the UTF-8 character at TEXT has; 0 if that is none. */
static int utf8_length(const uint8_t *text)
{
	int length = *text < 0x80 ? 1 : *text >= 0xf0 ? 4 : *text >= 0xe0 ? 3 : 2;

	if (*text >= 0x80 && (*text < 0xc2 || *text > 0xf4))
		return 0;
	for (int i = 1; i < length; i++)
		if ((text[i] & 0xc0) != 0x80)
			return 0;
	/* Longer than need be, half of a pair, or above the last one. */
	if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f) ||
	    (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
		return 0;
	return length;
}

void json_string(const char *text)
{
	const uint8_t *at = (const uint8_t *)text;

	putchar('"');
	while (*at) {
		int length = utf8_length(at);

		if (!length)
			fputs("\\ufffd", stdout);
		else if (*at < 0x20 || *at == 0x7f)
			printf("\\u%04x", *at);
		else if (*at == '"' || *at == '\\')
			printf("\\%c", *at);
		else
			fwrite(at, 1, (size_t)length, stdout);
		at += length ? length : 1;
	}
	putchar('"');
}
