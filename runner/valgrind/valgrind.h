/* SPDX-License-Identifier: Apache-2.0 */
/* The program valgrind on this machine, and what must be equal for two counts of it to be compared.
 *
 * Valgrind runs a program on a processor of its own making, so its counts do not depend on the CPU, the kernel or the
 * load; but programs ask the processor what it can do and choose code by the answer (IFUNC in libc, dispatch in
 * codecs), and the answer follows the real one in parts. What libc chooses is pinned by GLIBC_TUNABLES; what valgrind
 * answers is part of the environment. */
#pragma once

#include "model/measurement.h"
#include "runner/config/config.h"

typedef struct {
	char *program; /* path */
	char *version; /* "3.19.0" */
	guint major, minor;
	char *cpu; /* what the processor that programs see can do, as far as it follows the real one: "avx2 bmi f16c" */
	char *tunables; /* value of GLIBC_TUNABLES that pins what libc chooses and sizes by processor */
} Valgrind;

/* Looks for it in PATH; asks it for its version. Errors: FIREBREAK_ERROR_ENVIRONMENT that says what to install, or that
 * it is older than 3.15. Owned by the caller. */
Valgrind *valgrind_find(GError **error);
void valgrind_free(Valgrind *valgrind);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Valgrind, valgrind_free)

/* Everything that decides about counts. */
typedef struct {
	const Environment *machine; /* machine_environment() */
	const Valgrind *valgrind;
	const ConfigBenchmark *benchmark; /* command, folder, options of the engine */
	const Config *build;              /* how the side is built */
	char *const *pass_env;            /* names; values count */
	const char *arena_dir;            /* its length counts, since all paths begin with it; NULL = not known */
} CountedEnvironmentPlan;

/* The environment of a measurement by callgrind: the fields of the machine, of which only those are needed equal
 * (METRIC_DETERMINISTIC) that counts depend on: architecture, libc and the other system libraries by build-id, compiler
 * with flags and build command, valgrind and the processor it shows, libc's tunables, and the benchmark's command,
 * options, environment, and, where it is none of the checkout, program. All others are kept for information
 * (METRIC_SAME_CAMPAIGN), so that its fingerprint is the same on every machine where counts are. Owned by the caller.
 */
Environment *counted_environment(const CountedEnvironmentPlan *plan);

/* Adds what a run turned out to consist of, for information (METRIC_SAME_CAMPAIGN): `libraries`,
 * "libz.so.1:5b1a2c3d4e5f,
 * ..." with the beginning of the build-id (or of a hash) of every file that lies outside `tree_dir`, sorted by path;
 * and `tools`, a hash of what the files inside say of the compilers and linkers that made them, "" if they say nothing.
 * `paths` is of char *, in any order; those that cannot be read have no build-id. */
void counted_environment_add_modules(Environment *environment, const GPtrArray *paths, const char *tree_dir);
