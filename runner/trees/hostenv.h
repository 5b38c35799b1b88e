/* The environment that builds and benchmarks see: an allow-list, never the whole environment of the job.
 *
 * Tokens, GITHUB_ENV and the like stay outside: a benchmark is code of the pull request. Both sides of a round get the
 * same variables with values of the same length, because the environment lies on the stack and its size moves data. */
#pragma once

#include <glib.h>

/* For benchmarks: PATH, locale C.UTF-8, TZ, HOME and TMPDIR = `scratch`, the variables named in `pass_env` (may be
 * NULL) with their present values, and FIREBREAK_PAD of `padding` bytes. Sorted; a GStrv owned by the caller. */
char **benchmark_environment(const char *scratch, char *const *pass_env, guint padding);

/* For builds: the same without padding, plus the folders of package managers (CARGO_HOME, GOPATH, ...), the compiler
 * choice (CC, CXX, LD, AR), and CFLAGS, CXXFLAGS, LDFLAGS, RUSTFLAGS that add frame pointers, debug information, a
 * build-id and paths relative to `source`. C flags that the user has not set start with -O2. With a layout above 0 they
 * also ask for a section per function, and for ld.lld, which shuffles these with that number as seed: equal numbers of
 * functions give equal orders. */
char **build_environment(const char *source, const char *scratch, char *const *pass_env, guint layout);

/* The flags that every build adds, as one text for cache keys and reports. They do not depend on the folder. */
const char *build_flags_text(void);
