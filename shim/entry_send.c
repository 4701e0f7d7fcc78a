/* SPDX-License-Identifier: MIT */
/*
 * Floor 5, entry points: descriptors that are sent to another process (SCM_RIGHTS), or to this one.
 * The receiver shares the description, so the kernel gets its offset for good before they leave.
 */
#include "real.h"
#include "fdtab.h"

static void let_go_of_rights(const char *at, size_t n)
{
	int fd;

	for (; n >= sizeof(fd) && ground_peek(&fd, at, sizeof(fd));
	     at += sizeof(fd), n -= sizeof(fd))
		fd_hand_back(fd, R_sent, true);
}

static void let_go_of_sent(const struct msghdr *where)
{
	struct cmsghdr c;
	struct msghdr m;
	size_t at = 0;

	if (!ground_peek(&m, where, sizeof(m)) || !m.msg_control)
		return;
	while (at + sizeof(c) <= m.msg_controllen &&
	       ground_peek(&c, (char *)m.msg_control + at, sizeof(c))) {
		if (c.cmsg_len < CMSG_LEN(0) || c.cmsg_len > m.msg_controllen - at)
			return;
		if (c.cmsg_level == SOL_SOCKET && c.cmsg_type == SCM_RIGHTS)
			let_go_of_rights((char *)m.msg_control + at + CMSG_LEN(0),
					 c.cmsg_len - CMSG_LEN(0));
		at += CMSG_ALIGN(c.cmsg_len);
	}
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *msg, int flags)
{
	if (hot.high)
		let_go_of_sent(msg);
	return PASS(sendmsg)(fd, msg, flags);
}

EXPORT int sendmmsg(int fd, struct mmsghdr *vec, unsigned n, int flags)
{
	if (hot.high)
		for (unsigned i = 0; i < n && i < 1024; i++)
			let_go_of_sent(&vec[i].msg_hdr);
	return PASS(sendmmsg)(fd, vec, n, flags);
}

/*
 * The number is one of the process that pidfd names, which may be this one.  If it is not, a
 * descriptor of ours that has the same number loses its speed; to find that out would take more
 * calls.
 */
EXPORT int pidfd_getfd(int pidfd, int fd, unsigned flags)
{
	fd_hand_back(fd, R_sent, true);
	return PASS(pidfd_getfd)(pidfd, fd, flags);
}
