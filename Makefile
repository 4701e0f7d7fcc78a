# SPDX-License-Identifier: MIT
# Everything is built in build/.  `make`, `make demo`, `make test`, `make bench`; `make check`, the long
# tests (tools/check.list; each also by itself), and `make soak MINUTES=n`.  `make V=1` shows the full commands.

VERSION  := 0.1.0
PREFIX   ?= /usr/local
CFLAGS   ?= -O2 -g
WARN     := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef
COMMON   := -std=gnu11 -D_GNU_SOURCE -DSEEKLESS_VERSION='"$(VERSION)"' $(WARN) -MMD -MP
ARCH     := $(shell $(CC) -dumpmachine | cut -d- -f1)
ARCHFLAGS := $(if $(filter x86_64,$(ARCH)),-mcx16 -fcf-protection=none) \
             $(if $(filter aarch64,$(ARCH)),-march=armv8-a -moutline-atomics)

# A line that is shown in the place of a command; nothing with V=1.
say = $(if $(filter-out 0,$(V)),,@echo "$(1)";)

SHIM_FLAGS := $(COMMON) $(ARCHFLAGS) -fPIC -fvisibility=hidden -ftls-model=initial-exec \
              -fno-stack-protector -Iinclude -U_FORTIFY_SOURCE -fno-builtin-read -fno-plt -fstack-usage \
              -falign-loops=1
SHIM_LINK  := -shared -nostartfiles -Wl,-z,now -Wl,-z,relro -Wl,-z,noexecstack -Wl,-z,defs \
              -Wl,--version-script=shim/locals.map -Wl,-Bsymbolic-functions -Wl,-soname,libseekless.so
SHIM_SRC   := $(wildcard shim/*.c shim/*.S)
SHIM_OBJ   := $(patsubst shim/%,build/shim/%.o,$(SHIM_SRC))
TEST_OBJ   := $(patsubst shim/%,build/shim-test/%.o,$(SHIM_SRC))

all: build/libseekless.so build/seekless-ahead.so build/seekless

build/shim/%.c.o: shim/%.c Makefile
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(SHIM_FLAGS) $(CFLAGS) -c -o $@ $<
build/shim/%.S.o: shim/%.S Makefile
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(SHIM_FLAGS) $(CFLAGS) -c -o $@ $<
build/shim-test/%.c.o: shim/%.c Makefile
	@mkdir -p $(@D)
	$(call say,cc $< for tests)$(CC) $(SHIM_FLAGS) $(CFLAGS) -DSEEKLESS_TEST -c -o $@ $<
build/shim-test/%.S.o: shim/%.S Makefile
	@mkdir -p $(@D)
	$(call say,cc $< for tests)$(CC) $(SHIM_FLAGS) $(CFLAGS) -DSEEKLESS_TEST -c -o $@ $<

# libdl by its file: before glibc 2.34 dlsym is there and nowhere else; from then on -ldl is an
# empty archive, and the library would name no libdl: a program without it could not start.
LIBDL := -Wl,--no-as-needed -l:libdl.so.2
build/libseekless.so: $(SHIM_OBJ)
	$(call say,ld $@)$(CC) $(SHIM_LINK) $(LDFLAGS) -o $@ $^ $(LIBDL)
# pread, for reading ahead: a library of its own, so that it costs nobody else anything.
build/seekless-ahead.so: shim/pread/pread.c Makefile
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(COMMON) -fPIC -fvisibility=hidden -fno-plt -U_FORTIFY_SOURCE $(CFLAGS) -shared -Wl,-z,now -Wl,-z,relro \
		$(LDFLAGS) -MF $@.d -o $@ $< $(LIBDL)
build/libseekless-test.so: $(TEST_OBJ)
	$(call say,ld $@)$(CC) $(SHIM_LINK) $(LDFLAGS) -o $@ $^ $(LIBDL)

# One that traps where C leaves open what is to happen: tools/sanitize runs tests with it.
UBSAN := -fsanitize=undefined -fsanitize-undefined-trap-on-error
build/libseekless-ubsan.so: $(SHIM_SRC) $(wildcard shim/*.h shim/*.def) Makefile
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(filter-out -MMD -MP -fstack-usage,$(SHIM_FLAGS)) $(CFLAGS) $(UBSAN) $(SHIM_LINK) $(LDFLAGS) \
		-o $@ $(SHIM_SRC) $(LIBDL)

# Without the headers of libelf or ncurses, the subcommands that need them say so.
has = $(shell printf '\043include <%s>' '$(1)' | $(CC) -fsyntax-only -x c - 2>/dev/null && echo yes)
COMMAND_FLAGS := $(if $(call has,gelf.h),-DHAVE_LIBELF) $(if $(call has,ncurses.h),-DHAVE_NCURSES)
COMMAND_LIBS  := $(if $(findstring LIBELF,$(COMMAND_FLAGS)),-lelf) $(if $(findstring NCURSES,$(COMMAND_FLAGS)),-lncursesw -ltinfo)
build/seekless: $(wildcard tools/seekless/*.c tools/seekless/*.h include/*.h shim/*.def) Makefile
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(COMMON) -Iinclude $(COMMAND_FLAGS) $(CFLAGS) -MF build/seekless.d -o $@ $(filter %.c,$^) \
		$(COMMAND_LIBS) -pthread

# tests and tools
TEST_FLAGS := $(COMMON) $(ARCHFLAGS) -pthread -Itest -Ishim -Iinclude
TEST_KINDS := unit row race hold strace real diff fault $(if $(filter x86_64,$(ARCH)),explore)
TEST_BIN   := $(foreach kind,$(TEST_KINDS),$(patsubst %.c,build/%,$(wildcard test/$(kind)/*.c)))

# One program per source.  A line "// flags: ..." in it is added to the compiler's command.
build/test/%: test/%.c Makefile
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(TEST_FLAGS) $(CFLAGS) -MF $@.d -o $@ $< $(if $(findstring test/unit/,$@),-lcriterion) \
		$$(sed -n 's|^// flags: *||p' $<) -Wl,--as-needed -ldl -lrt -lutil

# The explorer is linked with the library's own sources, compiled for a machine of its own.
EXPLORE_DIR   := test/explore/machine
EXPLORE_SHIM  := $(addprefix shim/,admit.c ahead.c ahead_ask.c ahead_device.c ahead_stream.c audit.c count.c entry_close.c entry_io.c entry_open.c \
                   fdtab.c fdtab_close.c fdtab_kernel.c fdtab_onto.c flight.c gate.c ground.c hot.c image.c \
                   names.c ofd.c ofd_memory.c process.c root.c seek.c seek_audit.c text.c transfer.c)
EXPLORE_OBJ   := $(patsubst %.c,build/explore/%.o,$(EXPLORE_SHIM) $(wildcard $(EXPLORE_DIR)/*.c))
EXPLORE_FLAGS := $(filter-out -f%,$(SHIM_FLAGS)) -fno-stack-protector -fcf-protection=none \
                 -DSEEKLESS_EXPLORE -I$(EXPLORE_DIR) -Itest -Ishim -Itools/seekless
build/explore/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,cc $< for the explorer)$(CC) $(EXPLORE_FLAGS) $(CFLAGS) -c -o $@ $<
EXPLORE_BIN   := $(patsubst %.c,build/%,$(wildcard test/explore/*.c))
# The command's own hand-back is no part of the machine: it works while that stands still.
build/explore/tools/%.o: tools/seekless/%.c $(wildcard tools/seekless/*.h) Makefile
	@mkdir -p $(@D)
	$(call say,cc $< for the explorer)$(CC) $(COMMON) -Iinclude $(CFLAGS) -c -o $@ $<
EXPLORE_OBJ   += $(patsubst %,build/explore/tools/%.o,hand_back followed memory printable)
$(EXPLORE_BIN): build/%: %.c $(EXPLORE_OBJ)
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(EXPLORE_FLAGS) $(CFLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^)

test-programs: build/libseekless-test.so $(TEST_BIN)

demo: all
	@tools/demo

# More of them: what there is to gain in practice, and where there is nothing (tools/CASES.md).
cases: all
	@tools/demo --cases

# Criterion may only just be there, so what needs it is built by a make of its own.
test: all
	@tools/install-test-deps
	@$(MAKE) --no-print-directory test-programs
	@test/run

check-bare:
	@tools/check-bare

# Other releases of glibc, another processor, and other ways to build.
check-distros: all
	@tools/check-distros
check-aarch64:
	@tools/check-aarch64
check-builds: all test-programs
	@tools/check-builds

# Real programs, without and with the library.  tools/check-programs --install gets those that are missing.
build/ask-at-exit.so: tools/ask-at-exit.c Makefile
	$(call say,cc $<)$(CC) $(COMMON) $(CFLAGS) -fPIC -shared -MF $@.d -o $@ $< -pthread -ldl
check-programs: all build/ask-at-exit.so
	@tools/check-programs
# Real servers, under load.  tools/check-servers --install, too.
check-servers: all build/ask-at-exit.so
	@tools/check-servers
# Test suites of other projects.  tools/check-suites --install, too.
check-suites: all build/ask-at-exit.so
	@tools/check-suites

# Do the tests notice when a line of the library is wrong?
mutants: all
	@tools/install-test-deps
	@$(MAKE) --no-print-directory test-programs
	@tools/mutants

# Undefined behaviour, races and memory errors, by the compiler's instruments and by valgrind.
sanitize: all build/libseekless-ubsan.so
	@tools/install-test-deps
	@$(MAKE) --no-print-directory test-programs
	@tools/sanitize

# The worker is one program, bare or preloaded; the empty library shows what any preload costs.
BENCH_DIR  := tools/bench
BENCH_BIN  := build/bench/bench build/bench/worker build/bench/empty.so build/bench/uncounted.so
build/bench/bench: $(addprefix $(BENCH_DIR)/,bench.c rows.c place.c slices.c interval.c sign.c show.c)
build/bench/worker: $(BENCH_DIR)/worker.c $(wildcard $(BENCH_DIR)/work_*.c)
build/bench/empty.so: $(BENCH_DIR)/empty.c

# The library without its counters.
build/bench/uncounted.so: $(SHIM_SRC) $(wildcard shim/*.h shim/*.def) Makefile
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(filter-out -MMD -MP -fstack-usage,$(SHIM_FLAGS)) -DSEEKLESS_UNCOUNTED $(CFLAGS) $(SHIM_LINK) $(LDFLAGS) \
		-o $@ $(SHIM_SRC) $(LIBDL)

BENCH_LINKED := $(filter-out %/uncounted.so,$(BENCH_BIN))
$(BENCH_LINKED): Makefile $(wildcard $(BENCH_DIR)/*.h)
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(COMMON) $(CFLAGS) $(if $(filter %.so,$@),-shared -fPIC) -MF $@.d \
		-o $@ $(filter %.c,$^) -pthread -ldl

# What reading ahead is worth, and a disk that is slow on purpose to measure it on.
SEQSCAN_BIN := build/seqscan build/slow-disk
build/seqscan: $(wildcard tools/seqscan/*.c) tools/bench/sign.c
build/slow-disk: tools/bench/slow-disk.c
$(SEQSCAN_BIN): Makefile $(wildcard tools/seqscan/*.h) tools/bench/sign.h
	@mkdir -p $(@D)
	$(call say,cc $@)$(CC) $(COMMON) $(CFLAGS) -MF $@.d -o $@ $(filter %.c,$^) -pthread
bench-readahead-programs: all $(SEQSCAN_BIN)
	@tools/bench/readahead-programs
bench-readahead: all $(SEQSCAN_BIN)
	@tools/bench/readahead

bench: all $(BENCH_BIN)
	@tools/bench/run

# The long tests, those of tools/check.list, and the longest.
check: check-ready
	@tools/check
check-ready: all build/ask-at-exit.so $(BENCH_BIN)
	@tools/install-test-deps
	@$(MAKE) --no-print-directory test-programs
soak: all
	@tools/install-test-deps
	@$(MAKE) --no-print-directory test-programs
	@tools/soak $(MINUTES)

# The list of what goes where is in tools/install.  Files are replaced by rename: what runs keeps its own.
install: all
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install
uninstall:
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install --remove

# A Debian package, and whether it installs, runs and goes without a trace on a bare Debian.
deb: all
	@VERSION='$(VERSION)' tools/deb/build
check-deb: all
	@tools/check-deb
# The examples: a service under systemd, a container by docker.
check-systemd: all
	@tools/check-systemd
check-container: all
	@tools/check-container

clean:
	rm -rf build

-include $(SHIM_OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(EXPLORE_OBJ:.o=.d) $(TEST_BIN:=.d)
.PHONY: all test-programs demo cases test check check-ready soak mutants sanitize bench check-bare check-programs install clean check-servers check-suites check-distros check-aarch64 check-builds uninstall deb check-deb check-systemd check-container
.DELETE_ON_ERROR:
