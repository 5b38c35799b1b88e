/* SPDX-License-Identifier: Apache-2.0 */
/* firebreak.yml as a commit has it. */
#pragma once

#include "core/git/repo.h"
#include "runner/config/config.h"

/* Sets *config to the configuration of a commit, NULL if it has none. Owned by the caller. Errors: those of
 * repo_read_file() and config_parse(). */
gboolean commit_config_read(Repo *repo, const char *sha, Config **config, GError **error);
