// SPDX-License-Identifier: MIT
/*
 * `seekless check`: system calls that code makes by itself, past libc.
 *
 * The rule: an instruction `syscall` (or `svc #0`) counts if, among the NEAR instructions before it,
 * one sets the register of the call's number, and to nothing above MOST.  Code of x86-64 is taken
 * apart from a section's start on, so the bytes 0f 05 within another instruction are none; behind
 * bytes that are no instruction, everything before them is forgotten.
 */
#include <string.h>
#include <sys/syscall.h>

#include "check.h"

enum {
	NEAR = 16,
	MOST = 1023,
	NUMBER_UNSET = -2,
	NUMBER_KEPT = -3, /* the instruction does not touch it */
};

static const struct {
	long number;
	const char *name;
} numbers[] = {
	{SYS_read, "read"},	    {SYS_write, "write"},
	{SYS_lseek, "lseek"},	    {SYS_readv, "readv"},
	{SYS_writev, "writev"},	    {SYS_preadv2, "preadv2"},
	{SYS_pwritev2, "pwritev2"}, {SYS_sendfile, "sendfile"},
	{SYS_splice, "splice"},	    {SYS_copy_file_range, "copy_file_range"},
	{SYS_close, "close"},	    {436, "close_range"},
	{SYS_dup, "dup"},	    {SYS_dup3, "dup3"},
	{SYS_fcntl, "fcntl"},	    {SYS_ioctl, "ioctl"},
	{SYS_sendmsg, "sendmsg"},   {SYS_sendmmsg, "sendmmsg"},
	{SYS_clone, "clone"},	    {435, "clone3"},
	{SYS_execve, "execve"},	    {SYS_execveat, "execveat"},
	{SYS_unshare, "unshare"},   {425, "io_uring_setup"},
	{426, "io_uring_enter"},
#ifdef SYS_fork /* not on aarch64, like the others */
	{SYS_dup2, "dup2"},	    {SYS_fork, "fork"},
	{SYS_vfork, "vfork"},
#endif
};

const char *number_matters(long number)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i].number == number)
			return numbers[i].name;
	return number == NUMBER_UNKNOWN ? "one whose number is not in the code" : NULL;
}

void sites_add(struct sites *sites, uint64_t address, long number)
{
	if (sites->count < SITES_KEPT)
		sites->site[sites->count] = (struct site){address, number};
	sites->count++;
}

static int32_t word_at(const uint8_t *bytes)
{
	int32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* What is known of the registers at a place in x86-64 code. */
struct tracked {
	long value[16]; /* the first is eax: the call's number */
	long pushed;
	int age; /* instructions since eax was set */
};

/* An instruction in parts; `reg` and `rm` are the registers in its ModRM byte. */
struct parts {
	const uint8_t *op;
	size_t length; /* from the opcode on */
	uint8_t modrm, reg, rm;
	bool is_register, from_opcode; /* is `rm` a register, not memory? is it in the opcode? */
};

static struct parts take_apart(const uint8_t *code, size_t length)
{
	struct parts is = {.op = code};
	const uint8_t *end = code + length - 1;
	uint8_t rex = 0;

	while (is.op < end && memchr("\x66\x67\xf2\xf3\x2e\x36\x3e\x26\x64\x65\xf0", *is.op, 11))
		is.op++;
	if (is.op < end && (*is.op & 0xf0) == 0x40)
		rex = *is.op++;
	if (is.op < end)
		is.modrm = is.op[*is.op == 0x0f && is.op + 1 < end ? 2 : 1];
	is.length = (size_t)(end + 1 - is.op);
	is.from_opcode = (*is.op & 0xf8) == 0xb8 || (*is.op & 0xf8) == 0x58;
	is.reg = (uint8_t)((is.modrm >> 3 & 7) | (rex & 4) << 1);
	is.rm = (uint8_t)(((is.from_opcode ? *is.op : is.modrm) & 7) | (rex & 1) << 3);
	is.is_register = is.modrm >= 0xc0;
	return is;
}

/* The register that an instruction sets, or -1; VALUE is what to. */
static int register_set(const struct parts *is, const struct tracked *known, long *value)
{
	uint8_t op = *is->op;

	*value = NUMBER_UNKNOWN;
	if (is->from_opcode) {
		if (op < 0xb8)
			*value = known->pushed;
		else if (is->length >= 5)
			*value = word_at(is->op + 1);
		return is->rm;
	}
	if (op == 0xc7 && is->is_register) {
		if (is->length >= 6)
			*value = word_at(is->op + 2);
		return is->rm;
	}
	if ((op == 0x31 || op == 0x33) && is->is_register && is->reg == is->rm)
		*value = 0;
	if (op == 0x89 && is->is_register)
		*value = known->value[is->reg];
	if (op == 0x8b && is->is_register)
		*value = known->value[is->rm];
	/* The arithmetic of two registers, but for comparisons; with a constant; with one. */
	if (op == 0x89 || (op < 0x38 && (op & 7) == 1) || (op == 0xff && is->reg % 8 < 2) ||
	    ((op == 0x81 || op == 0x83) && is->reg % 8 != 7) || op == 0xc1 || op == 0xd1)
		return is->is_register ? is->rm : -1;
	if (op == 0x8b || op == 0x8d || op == 0x63 || (op < 0x38 && (op & 7) == 3))
		return is->reg;
	if (op == 0x0f && ((is->op[1] & 0xf6) == 0xb6 || (is->op[1] & 0xf0) == 0x40))
		return is->reg; /* an extension, or a conditional move */
	return -1;
}

static void forget(struct tracked *known)
{
	for (int i = 0; i < 16; i++)
		known->value[i] = NUMBER_UNSET;
	known->pushed = NUMBER_UNKNOWN;
}

static void step_x86(const uint8_t *code, size_t length, struct tracked *known)
{
	struct parts is = take_apart(code, length);
	long value;
	int set = register_set(&is, known, &value);

	known->age++;
	known->pushed = *is.op == 0x6a ? is.op[1] : NUMBER_UNKNOWN;
	/* A function may have changed all but those that it keeps; what came back is in eax. */
	if (*is.op == 0xe8 || (*is.op == 0xff && (is.modrm & 0x38) == 0x10))
		for (int i = 0; i < 12; i++)
			if (i != 3 && i != 5)
				known->value[i] = NUMBER_UNSET;
	if (*is.op == 0x0f && is.op[1] == 0x05)
		known->value[0] = NUMBER_UNSET;
	if (set < 0)
		return;
	known->value[set] = set == 0 && value == NUMBER_UNSET ? NUMBER_UNKNOWN : value;
	if (set == 0)
		known->age = 0;
}

void code_scan_x86(const uint8_t *code, size_t size, uint64_t address, struct sites *sites)
{
	struct tracked known = {.age = NEAR};

	forget(&known);
	for (size_t at = 0, length; at < size; at += length) {
		length = x86_length(code + at, size - at);
		if (!length) {
			length = 1;
			forget(&known);
			continue;
		}
		if (length == 2 && code[at] == 0x0f && code[at + 1] == 0x05 && known.age < NEAR &&
		    known.value[0] >= NUMBER_UNKNOWN && known.value[0] <= MOST)
			sites_add(sites, address + at, known.value[0]);
		step_x86(code + at, length, &known);
	}
}

/* The number that an instruction puts into x8 or w8. */
static long x8_after(uint32_t word)
{
	if ((word & 0x7fe0001f) == 0x52800008) /* mov w8, #n */
		return word >> 5 & 0xffff;
	if ((word & 0x7fe0ffff) == 0x2a0003e8 || /* mov w8, w.. */
	    (word & 0xfffffc1f) == 0x93407c08 || /* sxtw x8, w.. */
	    (word & 0xbfc0001f) == 0xb9400008 || /* ldr x8, [..] */
	    (word & 0xffc0001f) == 0xb9800008 || /* ldrsw x8, [..] */
	    (word & 0x7fc0001f) == 0x29400008 || /* ldp x8, .. */
	    (word & 0x7fc07c00) == 0x29402000)	 /* ldp .., x8 */
		return NUMBER_UNKNOWN;
	return NUMBER_KEPT;
}

void code_scan_aarch64(const uint8_t *code, size_t size, uint64_t address, struct sites *sites)
{
	long number = NUMBER_UNSET;
	int age = 0;

	for (size_t at = 0; at + 4 <= size; at += 4) {
		uint32_t word = (uint32_t)word_at(code + at);
		long now = x8_after(word);

		if (word == 0xd4000001 && age < NEAR && number >= NUMBER_UNKNOWN && number <= MOST)
			sites_add(sites, address + at, number);
		age++;
		if (now == NUMBER_KEPT)
			continue;
		number = now;
		age = 0;
	}
}

void code_scan(const uint8_t *code, size_t size, uint64_t address, struct sites *sites)
{
	if (OWN_MACHINE == EM_X86_64)
		code_scan_x86(code, size, address, sites);
	else
		code_scan_aarch64(code, size, address, sites);
}
