/* SPDX-License-Identifier: MIT */
/* Streams on some of the numbers; their numbers stay in use by the other calls, too. */
#ifndef SEEKLESS_DIFF_STREAMS_H
#define SEEKLESS_DIFF_STREAMS_H

#include "calls.h"

enum { STREAMS = 4 };

static FILE *streams[STREAMS];

static const char *a_mode(void)
{
	static const char *const modes[] = {"r", "r+", "w", "w+", "a", "a+", "re", "zz"};

	return modes[below(8)];
}

static void make_fdopen(void)
{
	int fd = a_number(), i = (int)below(STREAMS);
	const char *mode = a_mode();

	if (streams[i])
		return;
	CALL("fdopen(%d, %s)", fd, mode);
	streams[i] = fdopen(fd, mode);
	say(streams[i] ? " stream %d" : " none, errno %d", streams[i] ? i : errno);
	where_now(fd);
	end_of_call();
}

/* errno of a stream's success is nobody's promise: only failures print it. */
static void stream_result(long n)
{
	if (n < 0)
		say(" = %ld errno %d", n, errno);
	else
		say(" = %ld", n);
}

static void use_stream(void)
{
	int i = (int)below(STREAMS), c;
	FILE *f = streams[i];
	size_t n = 1 + below(percent(20) ? 6000 : 40);
	long o = below(3000), r;

	if (!f)
		return;
	switch (below(9)) {
	case 0:
	case 1:
		CALL("fread(%d, %zu)", i, n);
		r = (long)fread(room, 1, n, f);
		stream_result(r);
		sum(room, r);
		break;
	case 2:
	case 3:
		fill_room(n);
		CALL("fwrite(%d, %zu)", i, n);
		stream_result((long)fwrite(room, 1, n, f));
		break;
	case 4:
		CALL("fseek(%d, %ld)", i, o);
		stream_result(fseek(f, o, percent(70) ? SEEK_SET : SEEK_CUR));
		break;
	case 5:
		CALL("ftell(%d)", i);
		stream_result(ftell(f));
		break;
	case 6:
		CALL("fflush(%d)", i);
		stream_result(fflush(f));
		break;
	case 7:
		CALL("fgetc(%d)", i);
		c = fgetc(f);
		stream_result(c);
		if (percent(30) && c >= 0)
			ungetc(c, f);
		break;
	default:
		CALL("fileno(%d)", i);
		c = fileno(f);
		say(" = %d", c);
		where_now(c);
		clearerr(f);
	}
	end_of_call();
}

static void make_fclose(void)
{
	int i = (int)below(STREAMS), fd;

	if (!streams[i])
		return;
	fd = fileno(streams[i]);
	CALL("fclose(%d)", i);
	stream_result(fclose(streams[i]));
	streams[i] = NULL;
	forget(fd);
	end_of_call();
}

static void make_freopen(void)
{
	int i = (int)below(STREAMS);
	const char *name = a_file(), *mode = a_mode();

	if (!streams[i])
		return;
	CALL("freopen(%d, %s, %s)", i, name, mode);
	forget(fileno(streams[i]));
	streams[i] = freopen(name, mode, streams[i]);
	if (streams[i])
		learn(fileno(streams[i]));
	say(streams[i] ? " number %d" : " none, errno %d",
	    streams[i] ? fileno(streams[i]) : errno);
	end_of_call();
}

#endif
