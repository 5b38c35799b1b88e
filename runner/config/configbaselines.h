/* `baselines` in firebreak.yml: what is made of the measurements that are stored. */
#pragma once

#include "core/yamltree.h"
#include "runner/config/config.h"

/* Sets the defaults: the last release, 5 %, reported only. */
void config_baselines_init(Config *config);
/* Reads the mapping; NULL is fine. Errors: FIREBREAK_ERROR_USAGE with file:line:column. */
gboolean config_baselines_read(const YamlNode *map, Config *config, GError **error);
/* Appends what `head` weakens, as config_weakened() does. */
void config_baselines_compare(GPtrArray *list, const Config *base, const Config *head);
