/* SPDX-License-Identifier: Apache-2.0 */
/* The finders of benchmarks, one for each build system. Each looks at one folder of the project and adds what it found,
 * and remarks on what it did not understand. Where it finds nothing, it says in a line what it looked at and why
 * nothing came of it. A finder returns TRUE if the folder belongs to its build system, whether or not there are
 * benchmarks.
 *
 * The parts that only read what a tool wrote are separate, so that they can be tried without the tool. */
#pragma once

#include "runner/discover/discoverplace.h"
#include "runner/discover/discovery.h"

typedef gboolean (*Finder)(const DiscoverPlace *place, const char *folder, Discovery *discovery);

/* cmake(1) configures it, and its file API (cmake-file-api(7)) tells the targets; options that speak of benchmarks and
 * are off are switched on. */
gboolean find_cmake(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* Names of the options in the text of a CMakeCache.txt that speak of benchmarks and are off. A GStrv owned by the
 * caller. */
char **cmake_benchmark_options(const char *cache);

/* `meson introspect`, after `meson setup` with its options for benchmarks switched on. */
gboolean find_meson(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* "-Dbenchmarks=enabled" for each option that speaks of benchmarks, from the JSON of `introspect --buildoptions`. A
 * GStrv owned by the caller. */
char **meson_benchmark_options(const char *json);

/* `cargo metadata`: benches, and examples and programs with such a name. */
gboolean find_cargo(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* Packages with functions Benchmark* in their tests. */
gboolean find_go(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* The number of functions Benchmark* in a file of Go. */
guint go_benchmarks(const char *text);
/* Programs in build.zig. */
gboolean find_zig(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* Programs in the files Makefile.am. */
gboolean find_autotools(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* Names in the variables *_PROGRAMS of a Makefile.am. A GStrv owned by the caller. */
char **automake_programs(const char *text);

/* Targets of a Makefile, from the database that `make -qp` prints; also of one that ./configure makes, if need be after
 * autoreconf (a Makefile.in by hand, without Automake). */
gboolean find_make(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* A target in the database of make. */
typedef struct {
	char *name;
	gboolean phony;
	gboolean recipe;      /* there is something to do for it */
	char **prerequisites; /* NULL-terminated */
	char *commands;       /* lines of the recipe, with variables as they stand there; NULL = not told */
} MakeTarget;
/* The targets in the text that `make -qp` prints, those of patterns and files without a rule left out: a GPtrArray of
 * MakeTarget, owned by the caller. */
GPtrArray *make_targets(const char *database);
/* The command lines in what `make -n` prints that start a program of the project: "./bench/x data.json". Each is an
 * argument vector; those with redirections are cut there, those with other shell syntax left out and counted in
 * *unclear. A GPtrArray of GStrv owned by the caller. */
GPtrArray *make_program_lines(const char *text, guint *unclear);

/* Sources in folders like bench/, that no build system knows, compiled one by one. */
gboolean find_plain(const DiscoverPlace *place, const char *folder, Discovery *discovery);
/* Nothing is found in a project of Bazel: what to write by hand is the remark. */
gboolean find_bazel(const DiscoverPlace *place, const char *folder, Discovery *discovery);
