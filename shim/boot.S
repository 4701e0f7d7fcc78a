/* SPDX-License-Identifier: MIT */
/*
 * Floor 1: a stub for each LIBC row of entries.def.  It saves the arguments, has everything looked
 * up, and goes on to the function itself.  Only calls from other libraries' constructors and from
 * IFUNC resolvers come this way.
 */
#define ENTRY(name, first, kind, since, settings) first(name)
#define ALIAS(name, of)
#define RAW(name)
#define OWN(name) LIBC(name)

	.text
#if defined(__x86_64__)
#define LIBC(name) .globl boot_##name; .hidden boot_##name; .type boot_##name, @function; \
	boot_##name: endbr64; lea real_##name(%rip), %r11; jmp boot_common;
#include "entries.def"

	.type	boot_common, @function
boot_common:
	.cfi_startproc
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	and	$-16, %rsp
	sub	$192, %rsp
	mov	%rdi, 0(%rsp)
	mov	%rsi, 8(%rsp)
	mov	%rdx, 16(%rsp)
	mov	%rcx, 24(%rsp)
	mov	%r8, 32(%rsp)
	mov	%r9, 40(%rsp)
	mov	%rax, 48(%rsp)
	mov	%r11, 56(%rsp)
	movups	%xmm0, 64(%rsp)
	movups	%xmm1, 80(%rsp)
	movups	%xmm2, 96(%rsp)
	movups	%xmm3, 112(%rsp)
	movups	%xmm4, 128(%rsp)
	movups	%xmm5, 144(%rsp)
	movups	%xmm6, 160(%rsp)
	movups	%xmm7, 176(%rsp)
	call	real_resolve
	mov	0(%rsp), %rdi
	mov	8(%rsp), %rsi
	mov	16(%rsp), %rdx
	mov	24(%rsp), %rcx
	mov	32(%rsp), %r8
	mov	40(%rsp), %r9
	mov	48(%rsp), %rax
	mov	56(%rsp), %r11
	movups	64(%rsp), %xmm0
	movups	80(%rsp), %xmm1
	movups	96(%rsp), %xmm2
	movups	112(%rsp), %xmm3
	movups	128(%rsp), %xmm4
	movups	144(%rsp), %xmm5
	movups	160(%rsp), %xmm6
	movups	176(%rsp), %xmm7
	mov	%rbp, %rsp
	pop	%rbp
	.cfi_def_cfa %rsp, 8
	jmp	*(%r11)
	.cfi_endproc
	.size	boot_common, . - boot_common
#elif defined(__aarch64__)
#define LIBC(name) .globl boot_##name; .hidden boot_##name; .type boot_##name, %function; \
	boot_##name: adrp x16, real_##name; add x16, x16, :lo12:real_##name; b boot_common;
#include "entries.def"

	.type	boot_common, %function
boot_common:
	.cfi_startproc
	stp	x29, x30, [sp, #-224]!
	.cfi_def_cfa_offset 224
	.cfi_offset 29, -224
	.cfi_offset 30, -216
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x16, [sp, #80]
	stp	q0, q1, [sp, #96]
	stp	q2, q3, [sp, #128]
	stp	q4, q5, [sp, #160]
	stp	q6, q7, [sp, #192]
	bl	real_resolve
	ldp	q6, q7, [sp, #192]
	ldp	q4, q5, [sp, #160]
	ldp	q2, q3, [sp, #128]
	ldp	q0, q1, [sp, #96]
	ldp	x8, x16, [sp, #80]
	ldp	x6, x7, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #224
	ldr	x17, [x16]
	br	x17
	.cfi_endproc
	.size	boot_common, . - boot_common
#endif
	.section .note.GNU-stack, "", %progbits
