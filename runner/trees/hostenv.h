/* SPDX-License-Identifier: Apache-2.0 */
/* The environment that builds and benchmarks see: an allow-list, never the whole environment of the job.
 *
 * Tokens, GITHUB_ENV and the like stay outside: a benchmark is code of the pull request. Both sides of a round get the
 * same variables with values of the same length, because the environment lies on the stack and its size moves data. */
#pragma once

#include <glib.h>

/* For benchmarks: PATH, locale C.UTF-8, TZ, HOME and TMPDIR = `scratch`, the variables named in `pass_env` (may be
 * NULL) with their present values, and FIREBREAK_PAD of `padding` bytes. Sorted; a GStrv owned by the caller. */
char **benchmark_environment(const char *scratch, char *const *pass_env, guint padding);

/* Tells where a build takes place. */
typedef struct {
	const char *source;    /* the checkout */
	const char *scratch;   /* HOME and TMPDIR */
	const char *compilers; /* the folder of runner/compilers/compilerfolder.h */
	const char *log;       /* where calls of compilers are noted (runner/compilers/compilerlog.h); NULL = nowhere */
	char *const *pass_env; /* may be NULL */
	guint layout;          /* 0 = as the build links it, n = functions shuffled with that seed */
} BuildPlace;

/* For builds: the same without padding, plus the folders of package managers (CARGO_HOME, GOPATH, ...), what the user
 * has set of the choice of compilers and flags (CC, CFLAGS, LDFLAGS, RUSTFLAGS, ...), and the folder of compilers first
 * in PATH, which adds what profiling needs (runner/compilers/compilerflags.h). Flags stay the project's own. CC and CXX
 * with a path, and RUSTC_WRAPPER, lead through that folder, too. */
char **build_environment(const BuildPlace *place);
