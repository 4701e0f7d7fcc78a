// SPDX-License-Identifier: MIT
/* Where the library lies: beside the command as built, in ../lib as installed, in a folder
 * of its own there as a Debian package.  */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "seekless.h"

#define LIBRARY "libseekless.so"

/* The folder that the command itself lies in, links resolved. */
static int own_folder(char *folder)
{
	const char *started_as = (const char *)getauxval(AT_EXECFN);

	/* Without /proc, as in a plain chroot, there is still the name that exec was given. */
	if (!realpath("/proc/self/exe", folder) &&
	    !(started_as && realpath(started_as, folder)))
		return -1;
	*strrchr(folder, '/') = '\0';
	return 0;
}

int library_find(char *path, size_t size)
{
	static const char *const places[] = {"", "/../lib", "/../lib/seekless"};
	char folder[PATH_MAX], found[PATH_MAX], *candidate;

	if (own_folder(folder)) {
		say("cannot tell where this command lies: %m");
		return -1;
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&candidate, "%s%s/" LIBRARY, folder, places[i]) < 0)
			return -1;
		char *resolved = realpath(candidate, found);

		free(candidate);
		if (!resolved)
			continue;
		/* The loader would split such a name, and there is no way to quote it. */
		if (strpbrk(found, ": ")) {
			say("%s cannot be preloaded: a space or a colon is in its name", found);
			return -1;
		}
		return snprintf(path, size, "%s", found) < (int)size ? 0 : -1;
	}
	say("%s is neither in %s nor in %s/../lib or its folder seekless", LIBRARY, folder, folder);
	return -1;
}
