/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: offsets and the making of processes. */
#include "process.h"
#include "ahead.h"
#include "image.h"
#include "report.h"
#include "root.h"
#include <sched.h>
#include <string.h>

/*
 * The gate opens before the walk: whatever is born after the walk has passed its number sees the
 * gate and is let go at birth.
 */
void process_fork_begin(enum reason why)
{
	gate_fork_begin();
	fdtab_let_go_all(why);
}
void process_fork_end(void)
{
	gate_fork_end();
}

/*
 * A fork child: one thread, another thread id, nobody else's calls under way.  A number that
 * another thread was just being given may be in the table and not yet let go.
 */
void process_in_child(void)
{
	bool of_vfork_child = tls.vfork_depth || tls.for_parent;

	tls.tid = 0;
	tls.vfork_depth = 0;
	tls.flight = NULL;
	memset(tls.changed, 0, sizeof(tls.changed));
	tls.for_parent = false;
	if (of_vfork_child)
		fdtab_wipe();
	else
		fdtab_let_go_all(R_fork);
	gate_reset_in_child();
	image_reset_in_child();
	count_reset_in_child();
	audit_reset_in_child();
	root_reset_in_child();
	image_fill();
	report_reset_in_child();
	ahead_reset_in_child();
}

/* FD_CLOEXEC keeps a description out of the new program; libc's own child does not use it. */
void process_spawn_begin(void)
{
	gate_spawn_begin();
	fdtab_inherited_to_kernel(R_spawn, true);
}
void process_spawn_end(void)
{
	gate_spawn_end();
}

/*
 * The other threads run on until the kernel ends them: nobody may take what has been handed back.
 * For a vfork child it was done before.
 */
void process_exec_begin(void)
{
	if (tls.vfork_depth)
		return;
	hot_add(&hot.paused, 1);
	fdtab_inherited_to_kernel(R_exec, false);
	report_before_end();
	image_end(); /* the next program has the same number; if exec fails, the memory still tells */
}
void process_exec_end(void)
{
	if (!tls.vfork_depth)
		hot_add(&hot.paused, -1);
}

enum clone_kind process_clone_kind(unsigned long flags)
{
	switch (flags & (CLONE_VM | CLONE_FILES | CLONE_VFORK)) {
	case 0:
	case CLONE_VFORK:
		return CLONE_A_FORK;
	case CLONE_VM | CLONE_VFORK:
		return flags & CLONE_SETTLS ? CLONE_OTHER : CLONE_A_VFORK;
	case CLONE_VM | CLONE_FILES:
		return CLONE_A_THREAD;
	default:
		return CLONE_OTHER;
	}
}

/*
 * What the child could pass on to the program that it executes must be the kernel's; what is closed
 * on exec keeps its speed, unless the child uses it (T6).  A vfork child's own vfork child gives up
 * the rest.
 */
int process_vfork_begin(void)
{
	/* A number born in the parent now is another thing, or nothing, in the child. */
	gate_fork_begin();
	if (tls.vfork_depth)
		fdtab_let_go_all(R_vfork);
	else
		fdtab_inherited_to_kernel(R_vfork, true);
	return tls.vfork_depth;
}
int process_vfork_end(long pid, int depth)
{
	tls.vfork_depth = depth;
	if (!depth)
		memset(tls.changed, 0, sizeof(tls.changed));
	gate_fork_end();
	return (int)to_libc(pid);
}
