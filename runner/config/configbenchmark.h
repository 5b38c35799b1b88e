/* One benchmark of firebreak.yml: what runner/config/config.h says of a ConfigBenchmark, and how it is read. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/config.h"

/* A benchmark with the default settings and without name and command. Owned by the caller. */
ConfigBenchmark *config_benchmark_new(void);
/* Fails at the first key that `defaults` cannot have. NULL is fine. */
gboolean config_benchmark_check_defaults(const YamlNode *defaults, GError **error);
/* Fails at the first key of a mapping that only the engine callgrind knows. NULL is fine. */
gboolean config_benchmark_refuse_exact(const YamlNode *map, GError **error);
/* Reads an entry of `benchmarks` on top of `defaults` (may be NULL). That its name is unique is the caller's to check,
 * and that some benchmark has a use for what `defaults` says of callgrind. Errors: FIREBREAK_ERROR_USAGE with
 * file:line:column. */
gboolean config_benchmark_read(
        const YamlNode *map, const YamlNode *defaults, ConfigBenchmark *benchmark, GError **error);

/* A text runs in a shell, a list is an argument vector. NULL leaves *command as it is; else its old value is freed and
 * the new one owned by the caller. */
gboolean config_read_command(const YamlNode *node, char ***command, GError **error);
/* `allow` or `none`. NULL leaves *allowed as it is. */
gboolean config_read_privileges(const YamlNode *node, gboolean *allowed, GError **error);
