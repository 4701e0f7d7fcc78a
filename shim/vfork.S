/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points that a C function cannot be.
 *
 * vfork returns twice on one stack: the child's calls overwrite the return address that a C wrapper
 * would come back by.  So the address travels in a register, which the system call preserves, and
 * the child leaves before the parent comes back.  The child notes in its thread's data, which it
 * shares with the suspended parent, that it is one.
 *
 * syscall may be asked for a child on a stack of its own, where no frame of ours would be found:
 * such calls leave by a jump, after C has brought the offsets to the kernel.
 *
 * dlopen looks at its caller's address (for $ORIGIN and the namespace), so it is left by a jump,
 * too.
 */
#include <asm/unistd.h>
#define RTLD_DEEPBIND 8 /* <dlfcn.h> */
#define VFORK_DEPTH 20 /* offset in struct tls; checked in entry_process.c */

	.text
#if defined(__x86_64__)
	.globl	vfork, __vfork
	.type	vfork, @function
	.set	__vfork, vfork
vfork:
	.cfi_startproc
	endbr64
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	process_vfork_begin
	add	$8, %rsp
	.cfi_adjust_cfa_offset -8
	mov	%eax, %edx			/* the depth before */
	mov	tls@gottpoff(%rip), %rsi
	pop	%rdi				/* the return address */
	.cfi_adjust_cfa_offset -8
	.cfi_register %rip, %rdi
	mov	$__NR_vfork, %eax
	syscall
	push	%rdi
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rip, 0
	test	%rax, %rax
	jnz	1f
	lea	1(%rdx), %ecx
	mov	%ecx, %fs:VFORK_DEPTH(%rsi)
	ret
1:	mov	%rax, %rdi
	mov	%edx, %esi
	jmp	process_vfork_end
	.cfi_endproc
	.size	vfork, . - vfork

	.globl	syscall
	.type	syscall, @function
syscall:
	.cfi_startproc
	endbr64
	cmp	$__NR_clone, %rdi
	je	1f
	cmp	$__NR_vfork, %rdi
	je	1f
	cmp	$__NR_clone3, %rdi
	je	1f
	jmp	syscall_in_c
1:	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%r8
	push	%r9
	sub	$8, %rsp
	.cfi_adjust_cfa_offset 56
	call	syscall_may_return_here
	add	$8, %rsp
	pop	%r9
	pop	%r8
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	.cfi_adjust_cfa_offset -56
	test	%eax, %eax
	jnz	syscall_in_c
	jmp	*real_syscall(%rip)
	.cfi_endproc
	.size	syscall, . - syscall

	.globl	dlopen
	.type	dlopen, @function
dlopen:
	.cfi_startproc
	endbr64
	test	$RTLD_DEEPBIND, %esi
	jnz	1f
	jmp	*real_dlopen(%rip)
1:	push	%rdi
	sub	$16, %rsp
	.cfi_adjust_cfa_offset 24
	mov	%esi, %edi
	call	loader_deepbind
	mov	%eax, %esi
	add	$16, %rsp
	pop	%rdi
	.cfi_adjust_cfa_offset -24
	jmp	*real_dlopen(%rip)
	.cfi_endproc
	.size	dlopen, . - dlopen

#elif defined(__aarch64__)
	.globl	vfork, __vfork
	.type	vfork, %function
	.set	__vfork, vfork
vfork:
	.cfi_startproc
	stp	x29, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 29, -16
	.cfi_offset 30, -8
	bl	process_vfork_begin
	ldp	x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore 29
	.cfi_restore 30
	mov	w9, w0				/* the depth before; svc keeps all but x0 */
	mrs	x10, tpidr_el0
	adrp	x11, :gottprel:tls
	ldr	x11, [x11, #:gottprel_lo12:tls]
	add	x10, x10, x11
	mov	x0, #0x4111			/* CLONE_VM | CLONE_VFORK | SIGCHLD */
	mov	x1, #0
	mov	x2, #0
	mov	x3, #0
	mov	x4, #0
	mov	x8, #__NR_clone
	svc	#0
	cbnz	x0, 1f
	add	w9, w9, #1
	str	w9, [x10, #VFORK_DEPTH]
	ret
1:	mov	w1, w9
	b	process_vfork_end
	.cfi_endproc
	.size	vfork, . - vfork

	.globl	syscall
	.type	syscall, %function
syscall:
	.cfi_startproc
	cmp	x0, #__NR_clone
	b.eq	1f
	mov	x16, #__NR_clone3
	cmp	x0, x16
	b.eq	1f
	b	syscall_in_c
1:	stp	x29, x30, [sp, #-80]!
	.cfi_def_cfa_offset 80
	.cfi_offset 29, -80
	.cfi_offset 30, -72
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	str	x6, [sp, #64]
	bl	syscall_may_return_here
	mov	w9, w0
	ldr	x6, [sp, #64]
	ldp	x4, x5, [sp, #48]
	ldp	x2, x3, [sp, #32]
	ldp	x0, x1, [sp, #16]
	ldp	x29, x30, [sp], #80
	.cfi_def_cfa_offset 0
	.cfi_restore 29
	.cfi_restore 30
	cbnz	w9, syscall_in_c
	adrp	x16, real_syscall
	ldr	x16, [x16, #:lo12:real_syscall]
	br	x16
	.cfi_endproc
	.size	syscall, . - syscall

	.globl	dlopen
	.type	dlopen, %function
dlopen:
	.cfi_startproc
	tbz	w1, #3, 1f			/* RTLD_DEEPBIND */
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	str	x0, [sp, #16]
	mov	w0, w1
	bl	loader_deepbind
	mov	w1, w0
	ldr	x0, [sp, #16]
	ldp	x29, x30, [sp], #32
	.cfi_def_cfa_offset 0
	.cfi_restore 29
	.cfi_restore 30
1:	adrp	x16, real_dlopen
	ldr	x16, [x16, #:lo12:real_dlopen]
	br	x16
	.cfi_endproc
	.size	dlopen, . - dlopen
#endif
	.section .note.GNU-stack, "", %progbits
