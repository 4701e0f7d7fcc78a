/* SPDX-License-Identifier: MIT */
/*
 * A disk that is slow on purpose: a FUSE file system with one file, "disk", in memory, each of whose reads
 * takes a fixed time and goes on at a fixed speed, whatever the machine's own disk and neighbours do.  A
 * loop device on that file is the disk.  Linux's own protocol, linux/fuse.h, without a library; root.
 *
 *   slow-disk FOLDER MIB LATENCY-US KIB-PER-MS THREADS    until the folder is unmounted
 */
#include <errno.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { ROOT = FUSE_ROOT_ID, DISK = 2, MOST = 1 << 20, THREADS_MOST = 16 };

static struct {
	int dev;
	char *data;
	uint64_t size;
	long latency, speed;
} disk;

static void answer(const struct fuse_in_header *in, int error, const void *p, size_t n)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + n), .error = -error, .unique = in->unique};
	struct iovec parts[] = {{&out, sizeof(out)}, {(void *)p, n}};

	/* One that was given up meanwhile has nobody to go to. */
	if (writev(disk.dev, parts, n ? 2 : 1) < 0 && errno != ENOENT)
		perror("slow-disk: answer");
}

static struct fuse_attr attr_of(uint64_t node)
{
	bool root = node == ROOT;

	return (struct fuse_attr){
		.ino = node,
		.size = root ? 0 : disk.size,
		.blocks = root ? 0 : disk.size / 512,
		.mode = root ? S_IFDIR | 0755 : S_IFREG | 0600,
		.nlink = 1,
		.blksize = 4096,
	};
}

static void look_up(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = {
		.nodeid = DISK, .entry_valid = 3600, .attr_valid = 3600, .attr = attr_of(DISK)};

	if (strcmp(name, "disk"))
		answer(in, ENOENT, NULL, 0);
	else
		answer(in, 0, &out, sizeof(out));
}

/* As a disk does: the time until it begins, and the time that the bytes take. */
static void wait_for(uint32_t n)
{
	long ns = disk.latency * 1000 + (disk.speed ? (long)n * 1000000 / 1024 / disk.speed : 0);
	struct timespec t = {ns / 1000000000, ns % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void transfer(const struct fuse_in_header *in, char *arg)
{
	/* The two begin alike. */
	struct fuse_read_in *r = (void *)arg;
	struct fuse_write_in *w = (void *)arg;
	bool writes = in->opcode == FUSE_WRITE;
	uint64_t left = r->offset < disk.size ? disk.size - r->offset : 0;
	uint32_t n = r->size < left ? r->size : (uint32_t)left;
	struct fuse_write_out out = {.size = n};

	if (writes) {
		memcpy(disk.data + w->offset, w + 1, n);
		answer(in, 0, &out, sizeof(out));
		return;
	}
	wait_for(n);
	answer(in, 0, disk.data + r->offset, n);
}

static void begin(const struct fuse_in_header *in, const struct fuse_init_in *init)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = 0,
		.flags = (FUSE_ASYNC_READ | FUSE_BIG_WRITES | FUSE_ASYNC_DIO | FUSE_MAX_PAGES) &
			 init->flags,
		.max_background = 64,
		.congestion_threshold = 64,
		.max_write = MOST,
		.max_pages = MOST / 4096,
		.time_gran = 1,
	};

	answer(in, 0, &out, sizeof(out));
}

static void serve(char *buf)
{
	struct fuse_in_header *in = (void *)buf;
	char *arg = buf + sizeof(*in);
	struct fuse_attr_out attr = {.attr_valid = 3600, .attr = attr_of(in->nodeid)};
	struct fuse_open_out open_out = {.open_flags = FOPEN_DIRECT_IO};
	struct fuse_statfs_out statfs_out = {.st = {.bsize = 4096, .namelen = 255}};

	switch (in->opcode) {
	case FUSE_INIT:
		begin(in, (void *)arg);
		break;
	case FUSE_LOOKUP:
		look_up(in, arg);
		break;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		answer(in, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		answer(in, 0, &open_out, sizeof(open_out));
		break;
	case FUSE_READ:
	case FUSE_WRITE:
		transfer(in, arg);
		break;
	case FUSE_STATFS:
		answer(in, 0, &statfs_out, sizeof(statfs_out));
		break;
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
		answer(in, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(in, ENOSYS, NULL, 0);
	}
}

static void *serve_all(void *unused)
{
	size_t room = MOST + 65536;
	char *buf = aligned_alloc(4096, room);

	(void)unused;
	prctl(PR_SET_TIMERSLACK, 1); /* sleeps as long as said, not 50 us more */
	for (;;) {
		ssize_t n = read(disk.dev, buf, room);

		if (n < 0 && errno == ENODEV)
			exit(0); /* unmounted */
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			serve(buf);
	}
}

int main(int argc, char **argv)
{
	char options[100];
	pthread_t thread;
	int threads;

	if (argc != 6) {
		fprintf(stderr, "usage: slow-disk FOLDER MIB LATENCY-US KIB-PER-MS THREADS\n");
		return 2;
	}
	disk.size = strtoul(argv[2], NULL, 10) << 20;
	disk.latency = atol(argv[3]);
	disk.speed = atol(argv[4]);
	threads = atoi(argv[5]);
	disk.data = mmap(NULL, disk.size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	disk.dev = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", disk.dev);
	if (disk.data == MAP_FAILED || disk.dev < 0 ||
	    mount("slow-disk", argv[1], "fuse", MS_NOSUID | MS_NODEV, options)) {
		perror("slow-disk");
		return 3;
	}
	for (int i = 1; i < threads && i < THREADS_MOST; i++)
		if (pthread_create(&thread, NULL, serve_all, NULL))
			return 3;
	serve_all(NULL);
}
