// SPDX-License-Identifier: MIT
/* `seekless bench`: what pairs of calls cost on this machine, and what a program would gain. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "seekless.h"

static const char help[] =
	"usage: seekless bench [--json] [--dir FOLDER]\n\n"
	"Measures for about ten seconds what the library can save on this machine: a system\n"
	"call that does nothing; an lseek and a read, against one pread; asking for a file's\n"
	"size by lseek to the end and back, against one fstat; by one thread, by 2 and 4 on\n"
	"descriptors of their own, and on one that they share, with a lock around each use.\n"
	"The two calls are measured as they are and, in a process of its own, with the library.\n"
	"\n"
	"  --json          one JSON object instead of the text\n"
	"  --dir FOLDER    where the file of 1 MiB is made for it, and removed at once;\n"
	"                  otherwise in TMPDIR, or the current folder\n"
	"\n"
	"Numbers are nanoseconds of processor time: medians of up to 45 slices in turns, and in\n"
	"parentheses the half of them in the middle. The exit status is 0; 2 for a mistake in the "
	"words, 3 if it cannot be\n"
	"measured.";

const struct row rows[] = {
	{NOTHING, 1, false}, {PAIR, 1, false}, {PAIR, 2, true},	 {PAIR, 4, true},
	{PAIR, 2, false},    {PAIR, 4, false}, {SIZE, 1, false}, {SIZE, 2, true},
	{SIZE, 4, true},     {SIZE, 2, false}, {SIZE, 4, false},
};
const int row_count = sizeof(rows) / sizeof(*rows);

struct worker {
	pid_t pid; /* 0: there is none */
	int orders, answers;
};

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool row_has(const struct bench *bench, int row, enum way way)
{
	if (rows[row].kind == NOTHING)
		return way == NATIVE;
	return way != LIBRARY || bench->library;
}

/* In the child: the same program, with the hidden word. */
static void become_worker(const char *library, const char *folder)
{
	static const char *const ours[] = {"SEEKLESS_ONLY", "SEEKLESS_REPORT", "SEEKLESS_SIGNAL",
					   "LD_PRELOAD"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		unsetenv(ours[i]);
	if (!setenv("SEEKLESS", library ? "on" : "off", 1) &&
	    (!library || !setenv("LD_PRELOAD", library, 1)))
		execl("/proc/self/exe", "seekless", "bench", "--worker", folder, NULL);
	say("cannot start a process that measures: %m");
	_exit(EXIT_CANNOT);
}

/* Starts one, and waits until it is ready; an exit status, after a line. */
static int worker_start(struct worker *worker, const char *library, const char *folder,
			bool *is_kept)
{
	int orders[2], answers[2];
	double kept;

	if (pipe2(orders, O_CLOEXEC) || pipe2(answers, O_CLOEXEC) || (worker->pid = fork()) < 0) {
		say("cannot start a process that measures: %m");
		return EXIT_CANNOT;
	}
	if (!worker->pid) {
		if (dup2(orders[0], STDIN_FILENO) >= 0 && dup2(answers[1], STDOUT_FILENO) >= 0)
			become_worker(library, folder);
		_exit(EXIT_CANNOT);
	}
	close(orders[0]);
	close(answers[1]);
	worker->orders = orders[1];
	worker->answers = answers[0];
	/* If it has none, it has said why. */
	if (read(worker->answers, &kept, sizeof(kept)) != sizeof(kept))
		return EXIT_CANNOT;
	*is_kept = kept > 0;
	return EXIT_SUCCESS;
}

static void worker_end(struct worker *worker)
{
	if (worker->pid <= 0)
		return;
	close(worker->orders);
	close(worker->answers);
	waitpid(worker->pid, NULL, 0);
}

static double worker_ask(const struct worker *worker, const struct order *order)
{
	double answer;

	if (write(worker->orders, order, sizeof(*order)) != sizeof(*order) ||
	    read(worker->answers, &answer, sizeof(answer)) != sizeof(answer))
		return FAILED;
	return answer;
}

/* All rows, in each round their ways in another order; false after a line. */
static bool measure_round(struct bench *bench, const struct worker *workers, int round,
			  double seconds)
{
	for (int i = 0; i < row_count * WAYS; i++) {
		int row = i / WAYS;
		enum way way = (enum way)((i + round) % WAYS);
		struct order order = {row, way == DIRECT, round, seconds};
		double taken;

		if (!row_has(bench, row, way))
			continue;
		taken = worker_ask(&workers[way == LIBRARY], &order);
		if (taken < 0) {
			say("the process that measures could not go on");
			return false;
		}
		bench->taken[row][way][round] = taken;
	}
	return true;
}

/* On a busy machine, where a slice waits long for its processor, there are fewer. */
static int measure(struct bench *bench, const struct worker *workers)
{
	double begin = seconds_now();
	int cells = 0;

	for (int row = 0; row < row_count; row++)
		for (int way = 0; way < WAYS; way++)
			cells += row_has(bench, row, (enum way)way);
	while (bench->rounds < ROUNDS &&
	       (bench->rounds < LEAST_ROUNDS || seconds_now() < begin + MOST_SECONDS)) {
		if (!measure_round(bench, workers, bench->rounds, SECONDS / cells / ROUNDS))
			return EXIT_CANNOT;
		bench->rounds++;
	}
	return EXIT_SUCCESS;
}

static int measure_all(struct bench *bench)
{
	struct worker workers[2] = {{0}};
	bool unused;
	int status;

	signal(SIGPIPE, SIG_IGN);
	status = worker_start(&workers[0], NULL, bench->folder, &unused);
	if (!status && bench->library)
		status = worker_start(&workers[1], bench->library, bench->folder, &bench->is_kept);
	if (!status)
		status = measure(bench, workers);
	worker_end(&workers[0]);
	worker_end(&workers[1]);
	return status;
}

static int take_words(char **args, struct bench *bench, bool *json)
{
	for (; *args; args++) {
		if (!strcmp(*args, "--json")) {
			*json = true;
		} else if (!strncmp(*args, "--dir=", 6)) {
			bench->folder = *args + 6;
		} else if (!strcmp(*args, "--dir")) {
			bench->folder = args[1] ? *++args : "";
		} else {
			say("bench takes no '%s'; `seekless bench --help` lists what it takes",
			    *args);
			return EXIT_USAGE;
		}
	}
	if (bench->folder && *bench->folder)
		return EXIT_SUCCESS;
	say("--dir takes the name of a folder");
	return EXIT_USAGE;
}

int command_bench(char **args)
{
	static struct bench bench;
	static char library[PATH_MAX];
	const char *folder = getenv("TMPDIR");
	bool json = false;
	int status;

	if (asks_for_help(args)) {
		puts(help);
		return finish_output();
	}
	if (*args && !strcmp(*args, "--worker") && args[1])
		return bench_worker(args[1]);
	bench.folder = folder && *folder ? folder : ".";
	status = take_words(args, &bench, &json);
	if (status)
		return status;
	if (!library_find(library, sizeof(library)))
		bench.library = library;
	status = measure_all(&bench);
	if (status)
		return status;
	if (json)
		bench_print_json(&bench);
	else
		bench_print(&bench);
	return finish_output();
}
