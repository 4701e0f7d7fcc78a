/* SPDX-License-Identifier: MIT */
/*
 * The rows, with the targets of the project: against the program as it is (native) and against the
 * same program rewritten to positioned calls.
 */
#include "bench.h"
#include "data.h"

#define NS .unit = "ns", .per_unit = 1
#define NATIVELY(target) {TIMES, NATIVE, target, 0}
#define REWRITTEN(target) {TIMES, POSITIONED, target, 0}

/* A pair of a seek and a transfer, on a hot file. */
#define PAIR(label, work, bytes, positioned, native, rewritten, ...) \
	{ \
		.name = label, .workload = work, .size = bytes, .rewrite = positioned, NS, \
		.everywhere = true, .want = {NATIVELY(native), REWRITTEN(rewritten)}, \
		__VA_ARGS__ \
	}

/* Seeks alone. */
#define SEEK(label, work, ...) \
	{.name = label, .workload = work, .size = 4096, NS, .everywhere = true, __VA_ARGS__}

/* What is passed on to the kernel: ns more than native. */
#define PASSED(label, work, bytes, most, ...) \
	{ \
		.name = label, .workload = work, .size = bytes, NS, \
		.want = {{OVER, NATIVE, most, 0}}, __VA_ARGS__ \
	}

/* What counting costs: against the library without, and, by two threads, what sharing a line would. */
#define COUNTED(label, work, bytes, threads, ...) \
	{ \
		.name = label, .workload = work, .size = bytes, .count = threads, NS, \
		.counts = true, .want = {{OVER, UNCOUNTED, 1, 0}}, __VA_ARGS__ \
	}

#define THREADS(label, work, bytes, threads, ...) \
	{ \
		.name = label, .workload = work, .size = bytes, .count = threads, NS, \
		.everywhere = true, .spread = true, .rounds = 41, __VA_ARGS__ \
	}

/* Latencies, in microseconds. */
#define PROBE(label, work, positioned, ...) \
	{ \
		.name = label, .workload = work, .size = HOT_BLOCK, .count = 2, \
		.rewrite = positioned, \
		.unit = "us", .per_unit = 1e3, .spread = true, .rounds = 15, \
		.operations = 100, .figure = {"p50", "p99", "max"}, __VA_ARGS__ \
	}

/* One look at each new process. */
#define PROCESS(label, work, n, ...) \
	{ \
		.name = label, .workload = work, .count = n, .operations = 1, \
		.rounds_per_worker = 1, .rounds = 15, .per_unit = 1, __VA_ARGS__ \
	}

/* Some 100 ms of fio in each slice. */
#define FIO(label, work, bytes, jobs) \
	{ \
		.name = label, .workload = work, .size = bytes, .count = jobs, NS, \
		.program = "fio", .rewrite = "psync", .full = true, .spread = true, \
		.children = true, \
		.rounds = 5, .operations = (bytes) < 16 * K ? 60000 : 20000, \
		.want = {NATIVELY(0), REWRITTEN(0.97)} \
	}

enum { K = 1024, M = 1024 * 1024 };

const struct row rows[] = {
	PAIR("seek + read 64 B", "pair-read", 64, "pread", 1.65, 0.96),
	PAIR("seek + read 512 B", "pair-read", 512, "pread", 0, 0.96),
	PAIR("seek + read 4 K", "pair-read", 4 * K, "pread", 0, 0.96),
	PAIR("seek + read 8 K", "pair-read", 8 * K, "pread", 1.5, 0.97),
	PAIR("seek + read 64 K", "pair-read", 64 * K, "pread", 1.25, 0.97),
	PAIR("seek + read 1 M", "pair-read", M, "pread", 0, 0.97, .full = true),
	PAIR("seek + read 512 B, in order", "pair-read-in-order", 512, "pread", 0, 0.96,
	     .full = true),
	PAIR("seek + read 8 K, in order", "pair-read-in-order", 8 * K, "pread", 0, 0.97,
	     .full = true),
	PAIR("seek + write 64 B", "pair-write", 64, "pwrite", 1.65, 0.96),
	PAIR("seek + write 512 B", "pair-write", 512, "pwrite", 0, 0.96),
	PAIR("seek + write 4 K", "pair-write", 4 * K, "pwrite", 1.45, 0.96),
	PAIR("seek + write 8 K", "pair-write", 8 * K, "pwrite", 1.5, 0.97),
	PAIR("seek + write 64 K", "pair-write", 64 * K, "pwrite", 1.25, 0.97),
	PAIR("seek + write 1 M", "pair-write", M, "pwrite", 0, 0.97, .full = true),
	PAIR("seek + readv 4 x 1 K", "pair-readv", 4 * K, "preadv", 0, 0.96),
	PAIR("seek + writev 4 x 1 K", "pair-writev", 4 * K, "pwritev", 0, 0.96),

	PAIR("seek + read 512 B, 10 files", "pair-read-many", 512, "pread", 0, 0.96, .count = 10,
	     .full = true),
	PAIR("seek + read 512 B, 1,000 files", "pair-read-many", 512, "pread", 0, 0.96,
	     .count = 1000, .full = true),
	PAIR("seek + read 512 B, 15,000 files", "pair-read-many", 512, "pread", 0, 0.96,
	     .count = 15000, .full = true),

	SEEK("tell", "tell", .want = {{ITSELF, NATIVE, 10, 0}, NATIVELY(0)}),
	SEEK("seek to a place", "seek", .want = {{ITSELF, NATIVE, 10, 0}, NATIVELY(0)}),
	SEEK("seek to END", "end", .rewrite = "fstat", .want = {NATIVELY(0), REWRITTEN(0)}),
	SEEK("seek to END and back", "end-and-back", .rewrite = "fstat",
	     .want = {NATIVELY(0), REWRITTEN(0)}),

	PASSED("/dev/zero: read 1 B", "zero", 1, 20),
	PASSED("/dev/null: write 1 B", "null", 1, 20),
	PASSED("pipe: read 1 B", "pipe-read", 1, 20),
	PASSED("pipe: lseek", "pipe-seek", 1, 20),
	PASSED("inherited file: read 64 B", "inherited-read", 64, 20, .everywhere = true),
	PASSED("inherited file: tell", "inherited-tell", 64, 20, .everywhere = true),
	PASSED("never seeked: read 512 B in order", "read-in-order", 512, 20, .everywhere = true),
	PASSED("never seeked: read 4 K in order", "read-in-order", 4 * K, 20, .everywhere = true),
	PASSED("never seeked: write 512 B in order", "write-in-order", 512, 20,
	       .everywhere = true),

	PASSED("open + close", "open-close", 1, 100, .everywhere = true),
	PASSED("open + read 512 B + close", "open-read-close", 512, 0, .everywhere = true),
	PAIR("open + seek + read 512 B + close", "open-seek-read-close", 512, "pread instead",
	     0.98, 0),

	THREADS("mutex, seek + read 512 B, 1 thread", "mutex-pair", 512, 1, .slice_ms = 5, .full = true,
		.rewrite = "pread, no mutex", .want = {NATIVELY(0), REWRITTEN(0)}),
	THREADS("mutex, seek + read 512 B, 2 threads", "mutex-pair", 512, 2, .slice_ms = 5,
		.rewrite = "pread, no mutex", .want = {NATIVELY(1.4), REWRITTEN(0)}),
	THREADS("mutex, seek + read 512 B, 4 threads", "mutex-pair", 512, 4, .slice_ms = 5, .full = true,
		.rewrite = "pread, no mutex", .want = {NATIVELY(0), REWRITTEN(0)}),
	THREADS("mutex, seek + read 4 K, 1 thread", "mutex-pair", 4 * K, 1, .slice_ms = 5, .full = true,
		.rewrite = "pread, no mutex", .want = {NATIVELY(0), REWRITTEN(0)}),
	THREADS("mutex, seek + read 4 K, 2 threads", "mutex-pair", 4 * K, 2, .slice_ms = 5,
		.rewrite = "pread, no mutex", .want = {NATIVELY(1.4), REWRITTEN(0)}),
	THREADS("mutex, seek + read 4 K, 4 threads", "mutex-pair", 4 * K, 4, .slice_ms = 5, .full = true,
		.rewrite = "pread, no mutex", .want = {NATIVELY(0), REWRITTEN(0)}),

	THREADS("plain read 4 K, 2 threads", "pull", 4 * K, 2, .operations = 4 * K,
		.want = {NATIVELY(0.95)}),
	THREADS("plain read 4 K, 4 threads", "pull", 4 * K, 4, .operations = 4 * K,
		.want = {NATIVELY(0.95)}),
	THREADS("plain read 64 K, 2 threads", "pull", 64 * K, 2, .operations = 512, .full = true,
		.want = {NATIVELY(0.95)}),
	THREADS("plain read 64 K, 4 threads", "pull", 64 * K, 4, .operations = 512, .full = true,
		.want = {NATIVELY(0.95)}),

	COUNTED("counters: tell", "tell", 4 * K, 1),
	COUNTED("counters: seek + read 64 B", "pair-read", 64, 1),
	COUNTED("counters: never seeked, read 512 B", "read-in-order", 512, 1),
	COUNTED("counters: tell, 2 threads, 2 files", "own-tell", 4 * K, 2, .slice_ms = 5,
		.spread = true, .rounds = 41),
	COUNTED("counters: seek + read 64 B, 2 threads, 2 files", "own-pair", 64, 2, .slice_ms = 5,
		.spread = true, .rounds = 41),

	PROBE("END while another reads 8 M blocks", "probe-end", "fstat",
	      .want = {{TIMES, NATIVE, 0, 0}, {TIMES, NATIVE, 50, 1}, {TIMES, NATIVE, 0, 2},
		       {TIMES, POSITIONED, 0, 1}}),
	PROBE("tell while another reads 8 M blocks", "probe-tell", NULL, .full = true,
	      .want = {{TIMES, NATIVE, 0, 0}, {TIMES, NATIVE, 0, 1}, {TIMES, NATIVE, 0, 2}}),

	{.name = "start and end of /bin/true", .workload = "spawn-true", .rounds = 300,
	 .rounds_per_worker = 100, .operations = 1, .unit = "us", .per_unit = 1e3, .starts = true,
	 .children = true,
	 .want = {{OVER, EMPTY, 200, 0}, {OVER, OFF, 0, 0}, {OVER, NATIVE, 0, 0}}},
	FIO("fio randread 4 K, 1 job", "fio-randread", 4 * K, 1),
	FIO("fio randread 64 K, 1 job", "fio-randread", 64 * K, 1),
	FIO("fio randread 4 K, 4 processes", "fio-randread", 4 * K, 4),
	FIO("fio randread 4 K, 4 threads", "fio-randread-threads", 4 * K, 4),
	FIO("fio randwrite 4 K, 1 job", "fio-randwrite", 4 * K, 1),
	FIO("fio randwrite 64 K, 1 job", "fio-randwrite", 64 * K, 1),
	FIO("fio read 4 K, 1 job", "fio-read", 4 * K, 1),
	FIO("fio write 4 K, 1 job", "fio-write", 4 * K, 1),
	FIO("fio rw 4 K, 1 job", "fio-rw", 4 * K, 1),

	PROCESS("memory at start", "memory-at-start", 0, .unit = "B", .starts = true,
		.want = {{OVER, EMPTY, 128 * K, 0}, {OVER, NATIVE, 0, 0}}),
	PROCESS("memory per open and seeked file", "memory-per-ofd", 10000, .unit = "B",
		.want = {{OVER, NATIVE, 64, 0}}),
	PROCESS("memory per thread", "memory-per-thread", 200, .unit = "B",
		.want = {{OVER, NATIVE, 1 * K, 0}}),
};
const size_t row_count = sizeof(rows) / sizeof(*rows);
