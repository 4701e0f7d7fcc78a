// SPDX-License-Identifier: MIT
/*
 * `seekless check`: where the loader looks for a library (ld.so(8)), in its order.  The folders for
 * special processors are left out: what lies there are other builds of the same libraries.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

#if defined(__x86_64__)
#define TRIPLET "x86_64-linux-gnu"
#define CACHE_FLAGS 0x0303
#else
#define TRIPLET "aarch64-linux-gnu"
#define CACHE_FLAGS 0x0a03
#endif
#define CACHE_MAGIC "glibc-ld.so.cache1.1"

/* The file /etc/ld.so.cache: this, the entries, and the strings that these point to. */
struct cache {
	char magic[sizeof(CACHE_MAGIC) - 1];
	uint32_t entries;
	uint32_t rest[6];
	struct {
		int32_t flags;
		uint32_t name, path; /* bytes from the start of this struct */
		uint32_t system;
		uint64_t processor; /* 0: for any */
	} entry[];
};

/* The folder of OBJECT, as the loader takes $ORIGIN: links to the file itself are followed. */
static const char *origin(const struct object *object)
{
	char *path = realpath(object->file, NULL);

	if (!path)
		return ".";
	*strrchr(path, '/') = '\0';
	return *path ? path : "/";
}

/* What $NAME or ${NAME} at TOKEN stands for, and how long it is; NULL if it is none. */
static const char *token_value(const char *token, const struct object *object, size_t *length)
{
	static const char *const names[] = {"ORIGIN", "LIB", "PLATFORM"};
	bool braces = token[1] == '{';

	for (int i = 0; i < 3; i++) {
		size_t size = strlen(names[i]);

		if (strncmp(token + 1 + braces, names[i], size) ||
		    (braces && token[2 + size] != '}'))
			continue;
		*length = 1 + size + 2 * braces;
		if (i == 0)
			return origin(object);
		if (i == 2)
			return (const char *)getauxval(AT_PLATFORM);
		return access("/lib/" TRIPLET, F_OK) ? "lib64" : "lib/" TRIPLET;
	}
	return NULL;
}

static char *expand(const char *text, size_t size, const struct object *object)
{
	char *done = text_make("%s", "");

	for (size_t at = 0; at < size;) {
		size_t length = 1 + strcspn(text + at + 1, "$"), token = 0;
		const char *value = text[at] == '$' ? token_value(text + at, object, &token) : NULL;

		if (at + length > size)
			length = size - at;
		if (value)
			length = token;
		done = value ? text_make("%s%s", done, value)
			     : text_make("%s%.*s", done, (int)length, text + at);
		at += length;
	}
	return done;
}

/* Tries NAME in the folders of LIST, which colons (or semicolons) separate; an empty one is ".". */
static char *in_folders(const char *list, const struct object *object, const char *name,
			bool (*is_good)(const char *))
{
	while (list && *list) {
		size_t length = strcspn(list, ":;");
		char *path = text_make("%s/%s", length ? expand(list, length, object) : ".", name);

		if (is_good(path))
			return path;
		list += length + (list[length] != '\0');
	}
	return NULL;
}

/* A string of the cache that ends within it. */
static const char *cache_string(const struct cache *cache, size_t size, uint32_t at)
{
	const char *start = (const char *)cache;

	return at < size && memchr(start + at, '\0', size - at) ? start + at : "";
}

/* The entries of the cache are sorted by name in an order of its own, so all are looked at. */
static char *cache_search(const struct cache *cache, size_t size, const char *name,
			  bool (*is_good)(const char *))
{
	if (sizeof(*cache) + (uint64_t)cache->entries * sizeof(*cache->entry) > size)
		return NULL;
	for (uint32_t i = 0; i < cache->entries; i++) {
		const char *path = cache_string(cache, size, cache->entry[i].path);

		if (cache->entry[i].flags == CACHE_FLAGS && !cache->entry[i].processor &&
		    !strcmp(cache_string(cache, size, cache->entry[i].name), name) && is_good(path))
			return text_make("%s", path);
	}
	return NULL;
}

char *cache_find(const char *name, bool (*is_good)(const char *))
{
	int fd = open("/etc/ld.so.cache", O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *map = MAP_FAILED, *start, *found = NULL;
	size_t size;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && st.st_size > (off_t)sizeof(struct cache))
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return NULL;
	size = (size_t)st.st_size;
	/* Older systems have a cache of the old kind before it. */
	start = memmem(map, size, CACHE_MAGIC, sizeof(CACHE_MAGIC) - 1);
	if (start && size - (size_t)(start - map) > sizeof(struct cache))
		found = cache_search((const struct cache *)start, size - (size_t)(start - map),
				     name, is_good);
	munmap(map, size);
	return found;
}

char *place_find(const char *name, const struct object *asks, bool (*is_good)(const char *))
{
	static const char usual[] =
		"/lib/" TRIPLET ":/usr/lib/" TRIPLET ":/lib64:/usr/lib64:/lib:/usr/lib";
	char *path = NULL;

	if (strchr(name, '/')) {
		path = expand(name, strlen(name), asks);
		return is_good(path) ? path : NULL;
	}
	/* A RUNPATH takes the place of all RPATHs, which are also for what its libraries need. */
	if (!asks->runpath)
		for (const struct object *o = asks; o && !path; o = o->asks)
			if (!o->runpath)
				path = in_folders(o->rpath, o, name, is_good);
	if (!path)
		path = in_folders(getenv("LD_LIBRARY_PATH"), asks, name, is_good);
	if (!path)
		path = in_folders(asks->runpath, asks, name, is_good);
	if (!path && asks->default_places) {
		path = cache_find(name, is_good);
		if (!path)
			path = in_folders(usual, asks, name, is_good);
	}
	return path;
}
