/* SPDX-License-Identifier: Apache-2.0 */
/* The arguments that firebreak adds to a compiler's own, so that a program can be profiled: frame pointers, debug
 * information, a build-id and paths relative to the checkout. The project's flags stay as they are, its -O3 above all:
 * what is added comes last, and holds only what profiling needs.
 *
 *     compile   -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -falign-functions=32, -g unless there is a level
 *               of debug information already, -ffile-prefix-map=SOURCE=.
 *     link      -Wl,--build-id; -s and its like go, as they remove the names of functions
 *     layouts   -ffunction-sections; -fuse-ld=lld -Wl,--shuffle-sections=.text*=N
 *     rustc     -C force-frame-pointers=yes -C strip=none, -C debuginfo=1 unless there is a level already,
 *               --remap-path-prefix=SOURCE=. (its linker is a C compiler, which gets the arguments for linking)
 *     go        nothing is added; -trimpath and the -s and -w of -ldflags go (runner/compilers/goflags.h)
 *
 * Sources: the manuals of GCC (3.11 Options That Control Optimization, 3.19 Machine-Dependent Options), clang and
 * rustc. */
#pragma once

#include <glib.h>

typedef enum {
	COMPILER_NONE,  /* the name is no compiler's */
	COMPILER_C,     /* GCC and what takes its options, for C and C++ */
	COMPILER_CLANG, /* likewise, and complains about options that a step does not need */
	COMPILER_RUST,
	COMPILER_GO, /* the go command */
} CompilerKind;

/* The kind of a compiler by the name of its file: cc, c++, gcc, g++, clang, clang++, also with a version after them
 * (gcc-12, clang++-15) and a target before them (x86_64-linux-gnu-gcc), rustc and go. */
CompilerKind compiler_kind(const char *name);

typedef struct {
	CompilerKind kind;
	const char *name;   /* of the compiler's file: its target decides about flags for one machine */
	const char *source; /* the checkout; NULL or "" = paths stay absolute */
	guint layout;       /* 0 = as the build links it, n = functions shuffled with that seed */
} CompilerPlan;

/* The arguments of a compiler (without its name) with what is added and without what goes. Where nothing is compiled or
 * linked (`cc --version`) they are handed on as they are. `arguments` is NULL-terminated. A
 * NULL-terminated GPtrArray of char * that owns its texts; owned by the caller. */
GPtrArray *compiler_arguments(const CompilerPlan *plan, char *const *arguments);

/* The most that is added, as one text for cache keys and reports. It does not depend on the folder. */
const char *compiler_flags_text(void);
