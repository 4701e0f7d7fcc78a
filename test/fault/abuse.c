/* SPDX-License-Identifier: MIT */
/*
 * abuse SCENE: what programs do to their descriptors, their memory and their rights, and what few do.
 * Each scene prints what it saw, which must be the same bare and preloaded.  abuse list: the scenes.
 * Exit 77: not possible here, and the last line says why.
 */
#include "fault/abuse.h"

static const char *self;

#define NEEDS(what)                                                                                \
	do {                                                                                       \
		if (!(what))                                                                       \
			SKIP("not possible here: " #what);                                         \
	} while (0)

/* ---- very many ---- */

static void to_the_hard_limit(void)
{
	enum { MOST = 100000 };
	static int fds[MOST];
	struct rlimit l = {MOST, MOST};
	long n = 0, sum = 0;

	if (setrlimit(RLIMIT_NOFILE, &l)) {
		CHECK(!getrlimit(RLIMIT_NOFILE, &l));
		l.rlim_cur = l.rlim_max;
		CHECK(!setrlimit(RLIMIT_NOFILE, &l));
	}
	while (n < MOST && (fds[n] = open("a", O_RDWR | O_CLOEXEC)) >= 0)
		n++;
	SAY("%ld opened, errno %d\n", n, errno);
	for (long i = 0; i < n; i += 7) {
		lseek(fds[i], i % 1000, SEEK_SET);
		lseek(fds[i], i % 30000, SEEK_SET);
	}
	for (long i = 0; i < n; i += 7) {
		unsigned char c;

		CHECK(lseek(fds[i], 0, SEEK_CUR) == i % 30000 && read(fds[i], &c, 1) == 1);
		sum += c;
	}
	SAY("sum %ld\n", sum);
	hand_over(fds[n - 1]);
	SAID(dup2(fds[7], fds[n - 2]));
	use(fds[n - 2]);
	SAID(lseek(fds[7], 0, SEEK_CUR));
	SAID(dup2(fds[n - 8], fds[14]));
	use(fds[14]);
	hand_over(fds[14]);
	for (long i = 0; i < n; i++)
		CHECK(close(fds[i]) == 0);
	use(held("a", O_RDWR, 300));
}

static void a_million_opens(void)
{
	long mapped = 0, resident = 0, mapped_then, resident_then;
	char b[4];

	for (long i = 0; i < 1000000; i++) {
		int fd = open("a", O_RDONLY | O_CLOEXEC);

		if (i % 10 == 0) {
			lseek(fd, 100, SEEK_SET);
			lseek(fd, i % 60000, SEEK_SET);
			CHECK(read(fd, b, 4) == 4 && (unsigned char)b[0] == tmp_byte(i % 60000));
		}
		if (i % 100 == 0) {
			CHECK(dup2(fd, 20) == 20 && lseek(20, 0, SEEK_CUR) == i % 60000 + 4);
			CHECK(close(20) == 0);
		}
		CHECK(close(fd) == 0);
		if (i == 100000)
			memory(&mapped, &resident);
	}
	memory(&mapped_then, &resident_then);
	SAY("grew: mapped %d, resident %d\n", mapped_then > mapped + 128,
	    resident_then > resident + 2048);
}

static void *short_life(void *which)
{
	long i = (long)which;
	unsigned char b[4];
	int fd = open("a", O_RDWR | O_CLOEXEC);

	lseek(fd, 10, SEEK_SET);
	lseek(fd, i, SEEK_SET);
	CHECK(read(fd, b, 4) == 4 && b[0] == tmp_byte(i));
	CHECK(write(fd, b, 0) == 0 && lseek(fd, 0, SEEK_CUR) == i + 4);
	CHECK(close(fd) == 0);
	return which;
}

static void many_threads(void)
{
	enum { AT_ONCE = 8 };
	long mapped = 0, resident = 0, mapped_then, resident_then;
	pthread_attr_t small;
	pthread_t t[AT_ONCE];

	/* The memory of malloc and of stacks is not to be mistaken for ours. */
	CHECK(mallopt(M_ARENA_MAX, 1) && !pthread_attr_init(&small) &&
	      !pthread_attr_setstacksize(&small, 131072));
	for (long i = 0; i < 10000 / AT_ONCE; i++) {
		for (int k = 0; k < AT_ONCE; k++)
			CHECK(!pthread_create(&t[k], &small, short_life,
					      (void *)(i * AT_ONCE + k)));
		for (int k = 0; k < AT_ONCE; k++)
			CHECK(!pthread_join(t[k], NULL));
		if (i == 200)
			memory(&mapped, &resident);
	}
	memory(&mapped_then, &resident_then);
	SAY("grew: mapped %d, resident %d\n", mapped_then > mapped + 1024,
	    resident_then > resident + 2048);
	use(held("a", O_RDWR, 300));
}

static void many_spawns(void)
{
	int fd = held("a", O_RDWR, 500), other = held("a", O_RDWR, 700), status, bad = 0;

	CHECK(fcntl(other, F_SETFD, 0) == 0);
	for (int i = 0; i < 300; i++) {
		pid_t pid = i % 2 ? fork() : vfork();

		if (pid == 0) {
			execl("/bin/true", "true", NULL);
			_exit(9);
		}
		bad += waitpid(pid, &status, 0) != pid || status;
		bad += lseek(fd, 0, SEEK_CUR) != 504 || lseek(other, 0, SEEK_CUR) != 704;
	}
	SAY("bad: %d\n", bad);
	use(fd);
	use(other);
}

/* ---- closing everything ---- */

static void by_range(void)
{
	SAID(close_range(3, ~0U, 0));
}
static void by_bare_range(void)
{
	SAID(syscall(436, 3, ~0U, 0));
}
static void by_closefrom(void)
{
	closefrom(3);
}
static void one_by_one(void)
{
	struct rlimit l;
	int closed = 0;

	CHECK(!getrlimit(RLIMIT_NOFILE, &l));
	for (int i = 3; i < (int)(l.rlim_max < 1000000 ? l.rlim_max : 1000000); i++)
		closed += close(i) == 0;
	SAY("%d closed\n", closed);
}

static void close_everything(void)
{
	static void (*const ways[])(void) = {by_range, by_bare_range, by_closefrom, one_by_one};

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		int fd = held("a", O_RDWR, 100), high = fcntl(fd, F_DUPFD_CLOEXEC, 500);

		ways[i]();
		SAID(lseek(fd, 0, SEEK_CUR));
		SAID(read(high, NULL, 0));
		SAID(write(high, "a", 1));
		SAID(fd = held("a", O_RDWR, 200));
		use(fd);
		report();
		hand_over(fd);
	}
}

/* Also what the standard streams had; results go to a file, which the script shows. */
static void close_really_everything(void)
{
	int fd = held("a", O_RDWR, 100), out;

	CHECK(close_range(0, ~0U, 0) == 0);
	out = held("a", O_RDWR, 300); /* is 0 now */
	report();
	say_to = (int)bare_syscall(SYS_openat, AT_FDCWD, (long)"shown", O_WRONLY | O_CREAT, 0600, 0,
				   0);
	SAY("%d %d\n", out, fd);
	use(out);
	SAID(fd = held("a", O_RDWR, 400));
	use(fd);
	hand_over(fd);
}

/* ---- other lives ---- */

static void as_daemon(void)
{
	int ends[2], fd = held("a", O_RDWR, 100);
	char b[2000];
	ssize_t n;
	pid_t pid;

	CHECK(pipe(ends) == 0 && (pid = fork()) >= 0);
	if (pid == 0) {
		say_to = ends[1];
		if (daemon(0, 0) || chdir("/"))
			_exit(1);
		use(fd);
		report();
		_exit(0);
	}
	close(ends[1]);
	wait_for(pid);
	while ((n = read(ends[0], b, sizeof(b))) > 0)
		bare_syscall(SYS_write, 1, (long)b, n, 0, 0, 0);
	SAID(lseek(fd, 0, SEEK_CUR));
}

static void become_nobody(void)
{
	CHECK(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

static void in_a_jail(void)
{
	int fd = held("a", O_RDWR, 100);

	NEEDS(getuid() == 0);
	CHECK(mkdir("jail", 0777) == 0 && chdir("jail") == 0);
	make_file("inside");
	CHECK(chmod("inside", 0666) == 0);
	SAID(chroot("."));
	become_nobody();
	use(fd);
	report();
	SAID(fd = held("/inside", O_RDWR, 300));
	use(fd);
	hand_over(fd);
	SAID(open("/a", O_RDWR));
}

static void without_rights(void)
{
	int fd = held("a", O_RDWR, 100), late;

	NEEDS(getuid() == 0);
	CHECK(chmod("a", 0600) == 0);
	become_nobody();
	SAID(late = open("a", O_RDWR));
	use(fd);
	report();
	SAID(late = open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
	SAID(lseek(late, 100, SEEK_SET));
	SAID(lseek(late, 200, SEEK_SET));
	SAID(lseek(late, 0, SEEK_CUR));
	hand_over(fd);
}

static void in_strict_mode(void)
{
	int fd = held("a", O_RDWR, 100);
	pid_t pid = fork();

	if (pid == 0) {
		char b[8] = "";
		int own = held("a", O_RDWR, 200);

		if (prctl(PR_SET_SECCOMP, 1))
			_exit(77);
		SAID(read(own, b, 8));
		SAID(write(own, "12345678", 8));
		SAID(read(fd, b, 8));
		SAID(write(fd, "12345678", 8));
		bare_syscall(SYS_exit, 5, 0, 0, 0, 0, 0);
	}
	wait_for(pid);
	pid = fork();
	if (pid == 0) { /* what it does not allow still kills */
		if (prctl(PR_SET_SECCOMP, 1))
			_exit(77);
		lseek(fd, 0, SEEK_CUR);
		_exit(0);
	}
	wait_for(pid);
	SAID(lseek(fd, 0, SEEK_CUR));
}

/* ---- places that are not there; the program is started anew in them ---- */

static void in_a_place(void)
{
	int fd;

	SAID(fd = held("a", O_RDWR, 100));
	if (fd >= 0) {
		use(fd);
		hand_over(fd);
	}
	SAID(fd = held("a", O_RDONLY, 200));
	use(fd);
	report();
	use(fd);
	hand_over(fd);
}

static void start_there(void)
{
	execl(self, "abuse", "in-a-place", NULL);
	SAY("exec: errno %d\n", errno);
}

static void own_mounts(void)
{
	NEEDS(unshare(CLONE_NEWNS) == 0);
	NEEDS(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0);
}

static void without_proc(void)
{
	own_mounts();
	NEEDS(mount("none", "/proc", "tmpfs", 0, "size=4k") == 0);
	start_there();
}

static void without_shm(void)
{
	own_mounts();
	NEEDS(mount("none", "/dev", "tmpfs", MS_RDONLY, "size=4k") == 0);
	start_there();
}

static void all_read_only(void)
{
	own_mounts();
	NEEDS(mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) == 0);
	SAID(open("new", O_RDWR | O_CREAT, 0600));
	start_there();
}

static void in_a_lost_folder(void)
{
	int fd = held("a", O_RDWR, 100);

	CHECK(mkdir("lost", 0700) == 0 && chdir("lost") == 0 && rmdir("../lost") == 0);
	CHECK(fcntl(fd, F_SETFD, 0) == 0);
	start_there();
}

/* ---- limits that come later ---- */

static void no_more_descriptors(void)
{
	struct rlimit none = {0, 0};
	int fd = held("a", O_RDWR, 100);

	CHECK(!setrlimit(RLIMIT_NOFILE, &none));
	SAID(open("a", O_RDWR));
	SAID(dup(fd));
	use(fd);
	report();
	use(fd);
	hand_over(fd);
}

static void no_size(void)
{
	struct rlimit none = {0, 0};
	int fd = held("a", O_RDWR, 100);
	pid_t pid;

	CHECK(!setrlimit(RLIMIT_FSIZE, &none));
	report(); /* with the signal's default action, which ends the program */
	signal(SIGXFSZ, SIG_IGN);
	use(fd);
	report();
	SAID(lseek(fd, 100000, SEEK_SET));
	SAID(write(fd, "a", 1));
	SAID(lseek(fd, 0, SEEK_CUR));
	hand_over(fd);
	pid = fork();
	if (pid == 0) {
		signal(SIGXFSZ, SIG_DFL);
		fd = held("a", O_RDWR, 100);
		SAID(write(fd, "a", 1));
		_exit(0);
	}
	wait_for(pid);
}

static void locked_memory(void)
{
	enum { MANY = 300 };
	int fds[MANY];

	NEEDS(getuid() == 0);
	NEEDS(mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){0, 0}));
	become_nobody(); /* nobody may lock more, and so map more */
	SAY("mmap: %d\n",
	    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
	for (int i = 0; i < MANY; i++)
		CHECK((fds[i] = held("a", O_RDWR, 100 + i)) >= 0);
	for (int i = 0; i < MANY; i++)
		CHECK(lseek(fds[i], 0, SEEK_CUR) == 104 + i);
	use(fds[MANY - 1]);
	hand_over(fds[0]);
	hand_over(fds[MANY - 2]);
}

/* As much as a user may lock by default, where the program alone needs less. */
static void lock_as_user(void)
{
	NEEDS(getuid() == 0);
	CHECK(!setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){8 << 20, 8 << 20}));
	become_nobody();
	SAID(mlockall(MCL_CURRENT));
	use(held("a", O_RDWR, 100));
}

/* ---- handlers upon handlers ---- */

static int nested_fd, nested_depth;
static void nested(int sig)
{
	char b[4];
	off_t at = lseek(nested_fd, 0, SEEK_CUR);

	CHECK(read(nested_fd, b, 4) == 4 && (unsigned char)b[0] == tmp_byte(at));
	if (++nested_depth < 1000)
		raise(sig == SIGUSR2 ? SIGALRM : SIGUSR2);
	CHECK(write(nested_fd, b, 0) == 0);
}

static void handlers_upon_handlers(void)
{
	struct sigaction a = {.sa_handler = nested, .sa_flags = SA_NODEFER};

	nested_fd = held("a", O_RDWR, 100);
	sigaction(SIGUSR2, &a, NULL);
	sigaction(SIGALRM, &a, NULL);
	raise(SIGUSR2);
	SAY("%d deep\n", nested_depth);
	use(nested_fd);
	report();
	hand_over(nested_fd);
}

static const struct {
	const char *name;
	void (*play)(void);
} scenes[] = {
	{"to-the-hard-limit", to_the_hard_limit},
	{"a-million-opens", a_million_opens},
	{"many-threads", many_threads},
	{"many-spawns", many_spawns},
	{"close-everything", close_everything},
	{"close-really-everything", close_really_everything},
	{"as-daemon", as_daemon},
	{"in-a-jail", in_a_jail},
	{"without-rights", without_rights},
	{"in-strict-mode", in_strict_mode},
	{"without-proc", without_proc},
	{"without-shm", without_shm},
	{"all-read-only", all_read_only},
	{"in-a-lost-folder", in_a_lost_folder},
	{"no-more-descriptors", no_more_descriptors},
	{"no-size", no_size},
	{"locked-memory", locked_memory},
	{"lock-as-user", lock_as_user},
	{"handlers-upon-handlers", handlers_upon_handlers},
	{"in-a-place", in_a_place}, /* and where the others start it */
};

int main(int argc, char **argv)
{
	static char path[4096];

	CHECK(argc == 2 && readlink("/proc/self/exe", path, sizeof(path) - 1) != 0);
	self = path;
	umask(0);
	if (strcmp(argv[1], "list") && strcmp(argv[1], "in-a-place"))
		make_file("a");
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
		if (!strcmp(argv[1], "list"))
			printf("%s\n", scenes[i].name);
		if (strcmp(argv[1], scenes[i].name))
			continue;
		scenes[i].play();
		return 0;
	}
	return strcmp(argv[1], "list") != 0;
}
