/* SPDX-License-Identifier: MIT */
/* Floor 4, operations: streams of libc take numbers over and give them back. */
#ifndef STREAM_H
#define STREAM_H

#include "fdtab.h"
#include <stdio.h>

static inline FILE *stream_opened(FILE *f)
{
	if (f && !tls.vfork_depth)
		fdtab_stream(fileno(f));
	return f;
}
/* A real call that ended the stream on number fd. */
static inline void stream_closed(int fd)
{
	if (fd >= 0 && !tls.vfork_depth)
		fdtab_unstream(fd);
}

/*
 * Was fopen called by C++'s std::filebuf?  libstdc++ opens by fopen, and then uses only the number of the
 * stream, by read, write, writev and lseek.  The stream itself never reads, writes or seeks.
 */
bool stream_is_filebufs(const void *caller);

#endif
