// SPDX-License-Identifier: MIT
/*
 * `seekless check`: how long an instruction of x86-64 is, from the opcode maps of the processor
 * manuals.  Whether the processor has the instruction does not matter, only where the next begins.
 */
#include <string.h>

#include "check.h"

enum { LONGEST = 15 };

struct decoding {
	const uint8_t *code;
	size_t size, at;
	bool narrow, short_address, wide; /* the prefixes 66 and 67; REX.W */
};

/*
 * What follows an opcode, a letter for each: '.' nothing; 1, 2, 3, 4 so many bytes; w an immediate of
 * 4 bytes, 2 with the prefix 66; F such a one that REX.W makes 8 bytes long; A an address of 8
 * bytes, 4 with the prefix 67; M a ModRM byte and what that asks for; m the same and a byte; W the
 * same and w; L the same and 4 bytes; X that there is no such instruction in 64-bit mode.
 */
static const char one_byte[] = "MMMM1wXXMMMM1wXX"
			       "MMMM1wXXMMMM1wXX"
			       "MMMM1wXXMMMM1wXX"
			       "MMMM1wXXMMMM1wXX"
			       "XXXXXXXXXXXXXXXX"
			       "................"
			       "XXXMXXXXwW1m...."
			       "1111111111111111"
			       "mWXmMMMMMMMMMMMM"
			       "..........X....."
			       "AAAA....1w......"
			       "11111111FFFFFFFF"
			       "mm2.XXmW3.2..1X."
			       "MMMMXXX.MMMMMMMM"
			       "1111111144X1...."
			       "X.XX..MM......MM";

/* Behind 0f, and in the first map of VEX and EVEX. */
static const char two_bytes[] = "MMMMX.....X.XM.m"
				"MMMMMMMMMMMMMMMM"
				"MMMMXXXXMMMMMMMM"
				"......X.XXXXXXXX"
				"MMMMMMMMMMMMMMMM"
				"MMMMMMMMMMMMMMMM"
				"MMMMMMMMMMMMMMMM"
				"mmmmMMM.MMMMMMMM"
				"4444444444444444"
				"MMMMMMMMMMMMMMMM"
				"...MmMXX...MmMMM"
				"MMMMMMMMMMmMMMMM"
				"MMmMmmmM........"
				"MMMMMMMMMMMMMMMM"
				"MMMMMMMMMMMMMMMM"
				"MMMMMMMMMMMMMMMM";

/* The maps that the prefixes VEX, EVEX and XOP name. */
static const char maps[] = "XXMmXMMXmMLXXXXXXXXXXXXXXXXXXXXX";

static uint8_t peek(const struct decoding *d, size_t ahead)
{
	return d->at + ahead < d->size ? d->code[d->at + ahead] : 0;
}

/* Steps over all prefixes; the lock and repeat prefixes and the segments change no length. */
static void take_prefixes(struct decoding *d)
{
	for (; d->at < LONGEST; d->at++) {
		uint8_t byte = peek(d, 0);

		if (byte == 0x66)
			d->narrow = true;
		else if (byte == 0x67)
			d->short_address = true;
		else if (byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 &&
			 byte != 0x64 && byte != 0x65 && byte != 0xf0 && byte != 0xf2 &&
			 byte != 0xf3)
			break;
	}
	if ((peek(d, 0) & 0xf0) == 0x40)
		d->wide = d->code[d->at++] & 8;
}

/* Steps over the opcode, with the prefixes that are part of it; the letter for what follows. */
static char take_opcode(struct decoding *d)
{
	uint8_t op = peek(d, 0), next = peek(d, 1);
	size_t length = 1;
	unsigned map = 0;

	if (op == 0x0f && (next == 0x38 || next == 0x3a)) {
		d->at += 3;
		return next == 0x38 ? 'M' : 'm';
	}
	if (op == 0x0f) {
		d->at += 2;
		return two_bytes[next];
	}
	if (op == 0xc5) {
		length = 3; /* and no map but the first */
		map = 1;
	} else if (op == 0xc4 || (op == 0x8f && (next & 0x38))) {
		length = 4;
		map = next & 31;
	} else if (op == 0x62) {
		length = 5;
		map = next & 7;
	}
	next = peek(d, length - 1);
	d->at += length;
	return length == 1 ? one_byte[op] : map == 1 ? two_bytes[next] : maps[map];
}

static size_t modrm_length(const struct decoding *d)
{
	uint8_t modrm = peek(d, 0), mod = modrm >> 6, rm = modrm & 7;
	size_t length = 1;

	if (mod == 3)
		return 1;
	if (rm == 4) {
		length++;
		if (mod == 0 && (peek(d, 1) & 7) == 5)
			length += 4;
	}
	return length + (mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0);
}

size_t x86_length(const uint8_t *code, size_t size)
{
	struct decoding d = {.code = code, .size = size};
	uint8_t op, reg;
	char follows;

	take_prefixes(&d);
	op = peek(&d, 0);
	follows = take_opcode(&d);
	reg = peek(&d, 0) >> 3 & 7;
	/* Of these two, the first two forms (test) have an immediate. */
	if ((op == 0xf6 || op == 0xf7) && reg < 2)
		follows = op == 0xf6 ? 'm' : 'W';
	if (follows == 'X')
		return 0;
	if (strchr("MmWL", follows))
		d.at += modrm_length(&d);
	if (follows == 'm')
		d.at += 1;
	else if (follows == 'L')
		d.at += 4;
	else if (follows == 'A')
		d.at += d.short_address ? 4 : 8;
	else if (follows == 'F' && d.wide)
		d.at += 8;
	else if (strchr("WwF", follows))
		d.at += d.narrow && !d.wide ? 2 : 4;
	else if (follows >= '1' && follows <= '4')
		d.at += (size_t)(follows - '0');
	return d.at <= size && d.at <= LONGEST ? d.at : 0;
}
