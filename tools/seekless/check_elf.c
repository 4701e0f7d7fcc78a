// SPDX-License-Identifier: MIT
/* `seekless check`: what one program or library says about itself in its ELF file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_LIBELF
#include <gelf.h>
#endif

#include "check.h"

const char *const call_names[CALLS] = {
	[CALL_SEEK] = "lseek",	  [CALL_SEEKG] = "seekg",    [CALL_READ] = "read",
	[CALL_WRITE] = "write",	  [CALL_READV] = "readv",    [CALL_WRITEV] = "writev",
	[CALL_STREAM] = "fseek",  [CALL_PREAD] = "pread",    [CALL_PWRITE] = "pwrite",
	[CALL_MMAP] = "mmap",	  [CALL_URING] = "io_uring", [CALL_SYSCALL] = "syscall",
	[CALL_DLOPEN] = "dlopen",
};

static const struct {
	const char *name;
	enum call call;
} symbols[] = {
	{"lseek", CALL_SEEK},	      {"lseek64", CALL_SEEK},	     {"__lseek", CALL_SEEK},
	{"llseek", CALL_SEEK},	      {"read", CALL_READ},	     {"__read", CALL_READ},
	{"__read_chk", CALL_READ},    {"write", CALL_WRITE},	     {"__write", CALL_WRITE},
	{"readv", CALL_READV},	      {"writev", CALL_WRITEV},	     {"fseek", CALL_STREAM},
	{"fseeko", CALL_STREAM},      {"fseeko64", CALL_STREAM},     {"fsetpos", CALL_STREAM},
	{"fsetpos64", CALL_STREAM},   {"rewind", CALL_STREAM},	     {"_IO_fsetpos", CALL_STREAM},
	{"pread", CALL_PREAD},	      {"pread64", CALL_PREAD},	     {"__pread64", CALL_PREAD},
	{"__pread_chk", CALL_PREAD},  {"__pread64_chk", CALL_PREAD}, {"preadv", CALL_PREAD},
	{"preadv64", CALL_PREAD},     {"preadv2", CALL_PREAD},	     {"preadv64v2", CALL_PREAD},
	{"pwrite", CALL_PWRITE},      {"pwrite64", CALL_PWRITE},     {"__pwrite64", CALL_PWRITE},
	{"pwritev", CALL_PWRITE},     {"pwritev64", CALL_PWRITE},    {"pwritev2", CALL_PWRITE},
	{"pwritev64v2", CALL_PWRITE}, {"mmap", CALL_MMAP},	     {"mmap64", CALL_MMAP},
	{"syscall", CALL_SYSCALL},    {"dlopen", CALL_DLOPEN},	     {"dlmopen", CALL_DLOPEN},
};

enum call call_of(const char *symbol)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(*symbols); i++)
		if (!strcmp(symbol, symbols[i].name))
			return symbols[i].call;
	if (!strncmp(symbol, "_ZNSi5seekg", 11) || !strncmp(symbol, "_ZNSo5seekp", 11))
		return CALL_SEEKG;
	/* liburing's names; its own library makes the calls by itself. */
	return strncmp(symbol, "io_uring_", 9) ? CALLS : CALL_URING;
}

bool name_is_libc(const char *name)
{
	static const char *const parts[] = {
		"libc.so.6", "libpthread.so.0", "librt.so.1", "libdl.so.2", "libanl.so.1",
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(name, parts[i]))
			return true;
	/* The loader; and this library itself, whose calls are what is wanted. */
	return !strncmp(name, "ld-", 3) || !strncmp(name, "libseekless", 11);
}

#ifdef HAVE_LIBELF
const bool objects_can_be_read = true;

/* A string of the table in SECTION that outlives the file. */
static const char *string_copy(Elf *elf, size_t section, size_t at)
{
	const char *string = elf_strptr(elf, section, at);

	return string ? text_make("%s", string) : "";
}

static void read_dynamic(Elf *elf, Elf_Data *data, size_t strings, struct object *object)
{
	GElf_Dyn entry;

	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
		switch (entry.d_tag) {
		case DT_NEEDED:
			lines_add(&object->needed, "%s",
				  string_copy(elf, strings, entry.d_un.d_val));
			break;
		case DT_SONAME:
			object->soname = string_copy(elf, strings, entry.d_un.d_val);
			break;
		case DT_RPATH:
			object->rpath = string_copy(elf, strings, entry.d_un.d_val);
			break;
		case DT_RUNPATH:
			object->runpath = string_copy(elf, strings, entry.d_un.d_val);
			break;
		case DT_FLAGS_1:
			if (entry.d_un.d_val & DF_1_NODEFLIB)
				object->default_places = false;
			break;
		}
	}
}

static void read_imports(Elf *elf, Elf_Data *data, size_t strings, struct object *object)
{
	GElf_Sym symbol;

	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, strings, symbol.st_name);
		enum call call = name && symbol.st_shndx == SHN_UNDEF ? call_of(name) : CALLS;

		if (call != CALLS)
			object->calls |= CALL_BIT(call);
	}
	/* Every C++ program has this library; whether it seeks in files says who calls seekg. */
	if (!strncmp(object->name, "libstdc++.so", 12))
		object->calls &= ~CALL_BIT(CALL_SEEK);
}

static void read_section(Elf *elf, Elf_Scn *section, size_t names, struct object *object)
{
	GElf_Shdr header;
	Elf_Data *data;
	const char *name;

	if (!gelf_getshdr(section, &header))
		return;
	name = elf_strptr(elf, names, header.sh_name);
	if (name && (!strcmp(name, ".go.buildinfo") || !strcmp(name, ".gopclntab")))
		object->is_go = true;
	data = header.sh_type == SHT_NOBITS ? NULL : elf_rawdata(section, NULL);
	if (data && (header.sh_flags & SHF_EXECINSTR) && !object->is_libc)
		code_scan(data->d_buf, data->d_size, header.sh_addr, &object->sites);
	data = header.sh_type == SHT_DYNSYM && !object->is_libc ? elf_getdata(section, NULL) : NULL;
	if (data)
		read_imports(elf, data, header.sh_link, object);
}

/* First, since by its own name a library is known as part of libc; files are called otherwise. */
static void read_dynamic_section(Elf *elf, Elf_Scn *section, struct object *object)
{
	GElf_Shdr header;
	Elf_Data *data = NULL;

	if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNAMIC)
		data = elf_getdata(section, NULL);
	if (data)
		read_dynamic(elf, data, header.sh_link, object);
	if (object->soname)
		object->is_libc = name_is_libc(object->soname);
}

static int read_elf(Elf *elf, struct object *object)
{
	GElf_Ehdr header;
	Elf_Scn *section = NULL;
	size_t names, count;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header) ||
	    gelf_getclass(elf) != ELFCLASS64 || header.e_machine != OWN_MACHINE ||
	    elf_getshdrstrndx(elf, &names) || elf_getshdrnum(elf, &count) || !count)
		return -ENOEXEC;
	while ((section = elf_nextscn(elf, section)))
		read_dynamic_section(elf, section, object);
	while ((section = elf_nextscn(elf, section)))
		read_section(elf, section, names, object);
	return 0;
}

int object_read(const char *path, struct object *object)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed;
	struct stat st;
	Elf *elf;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -ENOEXEC;
	}
	object->dev = st.st_dev;
	object->ino = st.st_ino;
	object->default_places = true;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	failed = read_elf(elf, object);
	elf_end(elf);
	close(fd);
	return failed;
}
#else
const bool objects_can_be_read = false;

int object_read(const char *path, struct object *object)
{
	(void)path;
	(void)object;
	return -ENOSYS;
}
#endif
