/* SPDX-License-Identifier: MIT */
/*
 * Floor 2, state: long flight_fly(struct flight *f, const long call[7]).  From flight_critical to
 * flight_landed the saved instruction pointer tells a signal handler whether the call was made.  A
 * call that the kernel will restart is not made: its saved pointer stands on flight_call again.
 * Offsets in struct flight are checked in flight.c.
 */
#define PHASE 0
#define ABORTED 4
#define RESULT 8
#define SP 16

	.section .text.hot, "ax", %progbits /* beside its caller */
	.globl	flight_fly, flight_critical, flight_landed, flight_done, flight_aborted
	.hidden	flight_fly, flight_critical, flight_landed, flight_done, flight_aborted
#if defined(__x86_64__)
	.type	flight_fly, @function
flight_fly:
	.cfi_startproc
	endbr64
	push	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	mov	%rdi, %rbx
	mov	%rsp, SP(%rbx)
	mov	0(%rsi), %rax
	mov	8(%rsi), %rdi
	mov	24(%rsi), %rdx
	mov	32(%rsi), %r10
	mov	40(%rsi), %r8
	mov	48(%rsi), %r9
	mov	16(%rsi), %rsi
	movl	$1, PHASE(%rbx)
flight_critical:
	cmpl	$0, ABORTED(%rbx)
	jne	flight_aborted
	syscall
flight_landed:
	mov	%rax, RESULT(%rbx)
	movl	$2, PHASE(%rbx)
flight_done:
	pop	%rbx
	.cfi_remember_state
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	ret
	.cfi_restore_state
flight_aborted:
	movabs	$0x8000000000000000, %rax	/* LOOK_AGAIN */
	jmp	flight_done
	.cfi_endproc
	.size	flight_fly, . - flight_fly
#elif defined(__aarch64__)
	.type	flight_fly, %function
flight_fly:
	.cfi_startproc
	stp	x19, x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset 19, -16
	.cfi_offset 30, -8
	mov	x19, x0
	mov	x9, sp
	str	x9, [x19, #SP]
	ldp	x8, x0, [x1]
	ldp	x3, x4, [x1, #32]
	ldr	x5, [x1, #48]
	ldp	x1, x2, [x1, #16]
	mov	w9, #1
	str	w9, [x19, #PHASE]
flight_critical:
	ldr	w9, [x19, #ABORTED]
	cbnz	w9, flight_aborted
	svc	#0
flight_landed:
	str	x0, [x19, #RESULT]
	mov	w9, #2
	str	w9, [x19, #PHASE]
flight_done:
	ldp	x19, x30, [sp], #16
	.cfi_remember_state
	.cfi_def_cfa_offset 0
	.cfi_restore 19
	.cfi_restore 30
	ret
	.cfi_restore_state
flight_aborted:
	mov	x0, #0x8000000000000000
	b	flight_done
	.cfi_endproc
	.size	flight_fly, . - flight_fly
#endif
	.section .note.GNU-stack, "", %progbits
